// SPDX-License-Identifier: GPL-2.0-only
/* Tagged values, which share memory in a union */
#include "witness.h"

enum kind { INTEGER, REAL, TEXT, PAIR };

struct value {
	enum kind kind;
	union {
		int64_t integer;
		double real;
		const char *text;
		struct value *pair[2];
	} u;
	uint32_t uses;
};
union word {
	uint64_t whole;
	uint32_t half[2];
};

struct value *values[12];
static union word words[4];

static struct value *make(enum kind kind)
{
	struct value *v = calloc(1, sizeof(*v));

	LOCAL(kind, enum kind);
	LOCAL(v, struct value *);
	OBJECT(*v, struct value);
	v->kind = kind;
	return v;
}

int64_t measure(struct value *v)
{
	LOCAL(v, struct value *);
	v->uses++;
	switch (v->kind) {
	case INTEGER:
		return v->u.integer;
	case REAL:
		return (int64_t)(v->u.real * 2);
	case TEXT:
		return (int64_t)strlen(v->u.text);
	case PAIR:
		return measure(v->u.pair[0]) - measure(v->u.pair[1]);
	}
	return 0;
}

uint32_t mix(union word *w)
{
	LOCAL(w, union word *);
	w->whole += 0x100000001;
	return w->half[0] ^ w->half[1];
}

int main(void)
{
	int64_t total = 0;
	int i;

	LOCAL(total, int64_t);
	LOCAL(i, int);
	OBJECT(values, struct value *[12]);
	OBJECT(words, union word[4]);
	MEMBER(struct value, kind, enum kind);
	MEMBER(struct value, u.integer, int64_t);
	MEMBER(struct value, u.real, double);
	MEMBER(struct value, u.text, const char *);
	MEMBER(struct value, u.pair, struct value *[2]);
	MEMBER(struct value, uses, uint32_t);
	MEMBER(union word, whole, uint64_t);
	MEMBER(union word, half, uint32_t[2]);
	for (i = 0; i < 12; i++) {
		values[i] = make(i % 4 == 3 && i < 4 ? PAIR : (enum kind)(i % 3));
		if (values[i]->kind == INTEGER)
			values[i]->u.integer = i;
		else if (values[i]->kind == REAL)
			values[i]->u.real = i * 1.5;
		else if (values[i]->kind == TEXT)
			values[i]->u.text = "four";
		else
			for (total = 0; total < 2; total++)
				values[i]->u.pair[total] = values[total];
	}
	for (i = 0; i < 12; i++)
		total += measure(values[i]);
	for (i = 0; i < 4; i++)
		total += mix(&words[i]);
	printf("# %d\n", (int)total);
	return 0;
}
