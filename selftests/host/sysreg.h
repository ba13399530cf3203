/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of Linux's arch/arm64/tools/sysreg, and of registers.list, which adds to it and
 * explains differences.
 */
#ifndef HOST_SYSREG_H
#define HOST_SYSREG_H

#include <stdbool.h>
#include <stdint.h>

/* Whose definitions the test compares. */
enum subject { REGS_H, MODEL, SUBJECTS };
extern const char * const subject_names[SUBJECTS];

/* A register, a field or an enumerated value of a field. */
struct fact {
	char reg[32], field[32], value[32];	/* may be empty */
	uint64_t number;	/* encoding, mask or value */
	bool from_list;		/* in registers.list, not in Linux's file */
	bool covered[SUBJECTS];	/* a definition of the subject agrees */
};

enum word { OMIT, SAME, OWN };

/* An entry of registers.list about one subject's definitions. */
struct entry {
	enum word word;
	enum subject subject;
	char name[64];		/* OMIT: of a fact; otherwise of a definition */
	char target[96];	/* SAME: of a fact */
	bool used;
};

extern struct fact facts[4096];
extern struct entry entries[256];
extern int nr_facts, nr_entries, nr_linux_registers;
/* The first line that could not be read; empty if all could. */
extern char unreadable[256];

void sysreg_read(const char *path, bool from_list);

/* The fact of this name ("REG", "REG.FIELD", "REG.FIELD.VALUE"), or NULL. */
struct fact *sysreg_fact(const char *name);
/* The text is valid until the next call. */
const char *sysreg_name(const struct fact *fact);

/* True if the words are equal, ignoring case and underscores. */
bool same_word(const char *a, const char *b);

#endif /* HOST_SYSREG_H */
