// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

/* Longer words are not compared; no list has such a word. */
#define LONGEST		40
/* How many near words a message names */
#define NEAR_MAX	3
#define FAR		UINT32_MAX

bool words_have(word_fn words, const char *text, size_t len)
{
	const char *word;
	unsigned int i;

	for (i = 0; (word = words(i)); i++)
		if (strlen(word) == len && !memcmp(word, text, len))
			return true;
	return false;
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * How many letters must be inserted, removed, changed or swapped with their
 * neighbour to make @b of @a: the optimal string alignment distance.  Upper and
 * lower case are equal.
 */
static unsigned int distance(const char *a, size_t a_len, const char *b)
{
	unsigned int d[LONGEST + 1][LONGEST + 1];
	size_t b_len = strlen(b), i, j;

	if (a_len > LONGEST || b_len > LONGEST)
		return FAR;
	for (i = 0; i <= a_len; i++)
		d[i][0] = (unsigned int)i;
	for (j = 0; j <= b_len; j++)
		d[0][j] = (unsigned int)j;
	for (i = 1; i <= a_len; i++) {
		for (j = 1; j <= b_len; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			d[i][j] = least(d[i - 1][j - 1] + !same,
					least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[a_len][b_len];
}

/*
 * One typing error in three letters, and one in a shorter word; more would propose unrelated words.
 * The dashes of an option are the same in every word.
 */
static unsigned int bound(const char *text, size_t len)
{
	for (; len && *text == '-'; text++)
		len--;
	return len < 3 ? 1 : least((unsigned int)len / 3, 3);
}

static bool contains(const char *word, const char *text, size_t len)
{
	for (; len && strlen(word) >= len; word++)
		if (!strncasecmp(word, text, len))
			return true;
	return false;
}

/* "--no-source" is no typing error of "--any-source", which means the opposite. */
static bool opposite(const char *word, const char *text, size_t len)
{
	static const char no[] = "--no-";
	size_t prefix = strlen(no);

	return len > prefix && !strncmp(text, no, prefix) && strncmp(word, no, prefix) != 0;
}

struct near {
	const char *word[NEAR_MAX];
	unsigned int count;
};

static void near_add(struct near *n, const char *word)
{
	unsigned int i;

	for (i = 0; i < n->count; i++)
		if (!strcmp(n->word[i], word))
			return;
	if (n->count < NEAR_MAX)
		n->word[n->count++] = word;
}

#define A_ROW_HAS_IT	"a row of report has it, a sample does not: --columns and --sort of report take it"

/*
 * What users of other tools call a thing.  A row is for the lists that have its @word, and proposes
 * this word or, where none means the same, @text.
 */
static const struct {
	const char *typed, *word, *text;
} aliases[] = {
	{ "lat", "total", NULL },
	{ "latency", "total", NULL },
	{ "lat", "mean", NULL },
	{ "latency", "mean", NULL },
	{ "total", "mean", NULL },
	{ "overhead", "cost", NULL },
	{ "samples", "count", NULL },
	{ "sample", "count", NULL },
	{ "period", "count", NULL },
	{ "function", "symbol", NULL },
	{ "thread", "tid", NULL },
	{ "module", "object", NULL },
	{ "binary", "object", NULL },
	{ "library", "object", NULL },
	{ "instruction", "pc", NULL },
	{ "cycles", "total", NULL },
	{ "address", "va", NULL },
	{ "numa", "va", "'perf spe mem' prints the NUMA nodes of memory" },
	{ "node", "va", "'perf spe mem' prints the NUMA nodes of memory" },
	{ "numa_node", "va", "'perf spe mem' prints the NUMA nodes of memory" },
	{ "overhead", "va", A_ROW_HAS_IT },
	{ "samples", "va", A_ROW_HAS_IT },
	{ "count", "va", A_ROW_HAS_IT },
	{ "mean", "va", A_ROW_HAS_IT },
	{ "cost", "va", A_ROW_HAS_IT },
	{ "share", "va", A_ROW_HAS_IT },
	{ "l1-miss", "l1d-refill", NULL },
	{ "l1d-cache-miss", "l1d-refill", NULL },
	{ "cache-miss", "l1d-refill", NULL },
	{ "cache-misses", "l1d-refill", NULL },
	{ "l2-miss", "l2d-miss", NULL },
	{ "l3-miss", "llc-miss", NULL },
	{ "dtlb-miss", "tlb-walk", NULL },
	{ "branch-miss", "mispredicted", NULL },
	{ "branch-misses", "mispredicted", NULL },
	{ "ndjson", "jsonl", NULL },
	{ "tsv", "csv", NULL },
};

#define NR_ALIASES	(sizeof(aliases) / sizeof(aliases[0]))

/* The row of @aliases for @text and these words, or NR_ALIASES */
static size_t alias_of(word_fn words, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < NR_ALIASES; i++)
		if (strlen(aliases[i].typed) == len && !strncasecmp(aliases[i].typed, text, len) &&
		    words_have(words, aliases[i].word, strlen(aliases[i].word)))
			break;
	return i;
}

/* Arm has several words for a miss: l1d-refill, llc-miss, tlb-walk. */
static const char *const synonyms[] = { "miss", "refill", "walk" };

#define NR_SYNONYMS	(sizeof(synonyms) / sizeof(synonyms[0]))

/* The word that is @text with another synonym at its end, or NULL */
static const char *synonym(word_fn words, const char *text, size_t len)
{
	const char *word;
	unsigned int i;
	size_t of, other;

	for (of = 0; of < NR_SYNONYMS; of++) {
		size_t end = strlen(synonyms[of]), stem = len - end;

		if (len < end || strncasecmp(text + stem, synonyms[of], end))
			continue;
		for (i = 0; (word = words(i)); i++)
			for (other = 0; other < NR_SYNONYMS; other++)
				if (other != of && !strncasecmp(word, text, stem) &&
				    !strcmp(word + stem, synonyms[other]))
					return word;
	}
	return NULL;
}

/* The words that @text matches as a pattern of the shell */
static struct near matching(word_fn words, const char *text, size_t len)
{
	char *pattern = xformat("%.*s", (int)len, text);
	struct near near = { .count = 0 };
	const char *word;
	unsigned int i;

	for (i = 0; (word = words(i)); i++)
		if (!fnmatch(pattern, word, 0))
			near_add(&near, word);
	free(pattern);
	return near;
}

/* The words that a pattern matches, the nearest words, or if all are far, those that contain @text */
static struct near near_words(word_fn words, const char *text, size_t len)
{
	unsigned int best = bound(text, len), i;
	struct near near = { .count = 0 };
	const char *word = synonym(words, text, len);

	if (word) {
		near_add(&near, word);
		return near;
	}
	if (memchr(text, '*', len) || memchr(text, '?', len))
		near = matching(words, text, len);
	if (near.count)
		return near;
	for (i = 0; (word = words(i)); i++) {
		unsigned int far = distance(text, len, word);

		if (opposite(word, text, len))
			continue;
		if (far < best)
			near.count = 0;
		if (far <= best) {
			near_add(&near, word);
			best = far;
		}
	}
	if (near.count)
		return near;
	/* A function's name is where the name with its parameters begins. */
	for (i = 0; (word = words(i)); i++)
		if (!strncasecmp(word, text, len))
			near_add(&near, word);
	for (i = 0; (word = words(i)); i++)
		if (contains(word, text, len))
			near_add(&near, word);
	return near;
}

/* The length of "name-" in a word such as "name-12", or 0 */
static size_t numbered(const char *word)
{
	const char *dash = strrchr(word, '-');

	return dash && dash[1] && strspn(dash + 1, "0123456789") == strlen(dash + 1) ?
		(size_t)(dash - word) + 1 : 0;
}

/* How many of the words before word @end are equal to @word, but for its number */
static unsigned int alike(word_fn words, const char *word, unsigned int end)
{
	size_t len = numbered(word) ? numbered(word) : strlen(word) + 1;
	unsigned int i, nr = 0;

	for (i = 0; i < end && words(i); i++)
		nr += !strncmp(words(i), word, len);
	return nr;
}

static bool listed(word_fn words, unsigned int index)
{
	return alike(words, words(index), index);
}

/* "a, b, name-N or c": each word once */
static char *all_words(word_fn words)
{
	char *list = xformat("%s", "");
	unsigned int i, last = 0;

	for (i = 0; words(i); i++)
		if (!listed(words, i))
			last = i;
	for (i = 0; words(i); i++) {
		const char *word = words(i);
		size_t len = alike(words, word, UINT_MAX) > 1 ? numbered(word) : 0;

		if (!listed(words, i))
			list = xappend(list, "%s%.*s%s", !*list ? "" : i == last ? " or " : ", ",
				       (int)(len ? len : strlen(word)), word, len && word[len] ? "N" : "");
	}
	return list;
}

char *suggest_near(word_fn words, const char *text, size_t len)
{
	size_t alias = alias_of(words, text, len);
	struct near near = { .count = 0 };
	char *list, *result;
	unsigned int i;

	if (alias < NR_ALIASES && aliases[alias].text)
		return xformat("%s", aliases[alias].text);
	if (alias < NR_ALIASES)
		near_add(&near, aliases[alias].word);
	else
		near = near_words(words, text, len);
	if (!near.count)
		return NULL;
	list = xformat("'%s'", near.word[0]);
	for (i = 1; i < near.count; i++)
		list = xappend(list, "%s'%s'", i + 1 < near.count ? ", " : " or ", near.word[i]);
	result = xformat("did you mean %s?", list);
	free(list);
	return result;
}

char *suggest(word_fn words, const char *text, size_t len)
{
	char *result = suggest_near(words, text, len), *list;

	if (result)
		return result;
	list = all_words(words);
	result = xformat("choose %s", list);
	free(list);
	return result;
}
