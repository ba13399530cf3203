// SPDX-License-Identifier: GPL-2.0-only
/*
 * arrow-to-parquet IN OUT: validate an Arrow IPC file with Arrow's library, and
 * convert it to Parquet for DuckDB.
 */
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <parquet/arrow/writer.h>

#include <cstdio>

static arrow::Status convert(const char *from, const char *to)
{
	ARROW_ASSIGN_OR_RAISE(auto in, arrow::io::ReadableFile::Open(from));
	ARROW_ASSIGN_OR_RAISE(auto reader,
			      arrow::ipc::RecordBatchFileReader::Open(in));
	arrow::RecordBatchVector batches;

	for (int i = 0; i < reader->num_record_batches(); i++) {
		ARROW_ASSIGN_OR_RAISE(auto batch, reader->ReadRecordBatch(i));
		ARROW_RETURN_NOT_OK(batch->ValidateFull());
		batches.push_back(batch);
	}
	ARROW_ASSIGN_OR_RAISE(auto table,
			      arrow::Table::FromRecordBatches(reader->schema(), batches));
	ARROW_ASSIGN_OR_RAISE(auto out, arrow::io::FileOutputStream::Open(to));
	return parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), out);
}

int main(int argc, char **argv)
{
	arrow::Status status;

	if (argc != 3) {
		std::fputs("usage: arrow-to-parquet IN OUT\n", stderr);
		return 2;
	}
	status = convert(argv[1], argv[2]);
	if (!status.ok())
		std::fprintf(stderr, "%s\n", status.ToString().c_str());
	return status.ok() ? 0 : 1;
}
