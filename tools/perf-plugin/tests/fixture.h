/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fixture program: fixture.c parses lines and keeps the attributes,
 * fixture_record.c makes the SPE bytes, fixture_event.c the events,
 * fixture_feature.c the header's features, and fixture_form.c writes the file.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armspe.h"

#define FIXTURE_SIZE		(16u << 20)	/* of SPE bytes between two lines "auxtrace" */
#define FIXTURE_EVENT_ID	100	/* of the first attribute's events */
#define FIXTURE_ATTRS		8

/* SPE bytes that are in no AUXTRACE event yet */
extern struct armspe_encoder fixture_spe;

/* Attributes that lines tell of, with all their words; else there is one. */
extern struct words_attr {
	struct perf_event_attr attr;
	uint64_t more[144 / 8 - sizeof(struct perf_event_attr) / 8];
} fixture_told[FIXTURE_ATTRS];
extern unsigned int fixture_nr_told, fixture_owner;	/* whose events follow */
extern struct perf_event_attr fixture_attr;
extern uint64_t fixture_nr_attrs, fixture_nr_ids;

/* Ends the program. */
void fail(const char *what, const char *line);
/* The next word of the line, and as a number */
char *word(void);
uint64_t number(void);
/* The same where there may be no more: NULL */
char *more_words(void);

/* The next event: its header, its body, its end with a sample_id or without */
void begin(uint32_t type, uint16_t misc);
void put(const void *bytes, size_t len);
void put32(uint32_t value);
void put64(uint64_t value);
void put_name(const char *name);
void end(void);
void end_with_id(int64_t pid, int64_t tid, int64_t cpu, uint64_t time);

/* Write all events in one of the forms */
void compress(void);
void write_pipe(FILE *f);
void write_perf(FILE *f);

/* Each handles a line, or returns false if the line is not one of its own. */
bool record_line(const char *verb);
bool event_line(const char *verb);

/*
 * Handle a line about features of the header; false if it is another line.
 *
 *   osrelease NAME
 *   buildid HEX NAME             an entry of the list
 *   text FEATURE NAME            a string: 3 host, 8 processor
 *   words FEATURE WORD...        strings: 11 command
 *   cpus ONLINE / memtotal KIB
 *   pmus TYPE NAME ...
 *   names COUNT NAME...          of the attributes
 *   numa NODE CPUS ...           - for none
 *   blocks BYTES NODE BITS ...   memory blocks: at most 64
 *   feature FEATURE BYTE...      any bytes, in hex
 */
bool feature_line(const char *verb);
/* A bit for each feature, as in a file's header */
uint64_t feature_bits(void);
/* Writes the features at offset @at, behind the events: their positions, then their content */
void feature_write(FILE *f, uint64_t at);
/* The content of one feature; *@len is its size in bytes */
const uint8_t *feature_bytes(unsigned int feature, size_t *len);

#endif
