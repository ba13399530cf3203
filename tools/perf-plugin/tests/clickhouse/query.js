// SPDX-License-Identifier: GPL-2.0-only
//
// Runs SQL on ClickHouse's engine in this process, and prints the last answer as CSV, with nothing for NULL.
//
//   node query.js NODE_MODULES FOLDER <SQL
//
// FOLDER is new: the engine keeps the views there.
const fs = require('fs');
const { Session } = require(`${process.argv[2]}/chdb`);

const session = new Session(process.argv[3]);
const text = fs.readFileSync(0, 'utf8').replace(/^--.*$/gm, '');
let answer = '';

// Files that are mapped would not count as read.
session.query("SET format_csv_null_representation = '', storage_file_read_method = 'pread'");
for (const query of text.split(';'))
	if (query.trim())
		answer = session.query(query, 'CSVWithNames');
process.stdout.write(answer);
