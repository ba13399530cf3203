/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's folder form of a recording: perf record --kcore and --threads make a folder
 * whose file "data" has the header.  With --kcore, kcore_dir/kallsyms has the kernel's
 * symbols.  With --threads, data.0, data.1 ... have events without a header, one for each
 * buffer; each that is compressed is a stream of its own.
 *
 * perf up to Linux 7.3 refuses --threads for AUX data, but nothing in the form does.
 */
#ifndef PERF_SPE_FOLDER_H
#define PERF_SPE_FOLDER_H

struct perfdata;

/*
 * After perfdata_open(): open the files beside "data" that belong to the recording.  Says
 * which of them are missing or not read, and sets pd->damaged then; also if pd is the
 * file "data" alone.  Returns -1 after a message if the folder has a newer form.
 */
int folder_open(struct perfdata *pd);

#endif
