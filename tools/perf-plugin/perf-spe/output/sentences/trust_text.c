// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"

void total_text(double number, char *text, size_t size)
{
	static const char *const units[] = { "", " thousand", " million", " billion",
					     " trillion", " quadrillion" };
	unsigned int unit = 0;

	/* 999.5 would be printed as 1000. */
	for (; number >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		number /= 1000;
	snprintf(text, size, "%.*f%s", !unit || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2,
		 number, units[unit]);
}

static void print_heading(FILE *to, const struct estimate *e, bool ci)
{
	uint64_t low, high;

	estimate_means(e, &low, &high);
	fprintf(to, "\n# estimated totals: a sample stands for %" PRIu64, low);
	if (high > low)
		fprintf(to, " to %" PRIu64, high);
	fputs(" operations\n# about          ", to);
	if (ci)
		fprintf(to, "%-33s", "95% CI");
	fputs("number of\n", to);
}

void totals_print(FILE *to, const struct estimate *e, bool ci)
{
	char about[32], low[32], high[32];
	struct estimate_total total;
	unsigned int kind;

	if (!estimate_total(e, ESTIMATE_OPERATIONS, &total))
		return;
	print_heading(to, e, ci);
	for (kind = 0; kind < NR_ESTIMATE; kind++) {
		if (!estimate_total(e, kind, &total) || total.number <= 0)
			continue;
		total_text(total.number, about, sizeof(about));
		fprintf(to, "  %-13s", about);
		if (ci) {
			char both[80];

			total_text(total.interval.low, low, sizeof(low));
			total_text(total.interval.high, high, sizeof(high));
			snprintf(both, sizeof(both), "%s to %s", low, high);
			fprintf(to, "  %-31s", both);
		}
		fprintf(to, "  %s\n", estimate_name(kind));
	}
}

const char *trust_word(enum trust_level level)
{
	static const char *const words[] = {
		[TRUST_YES] = "yes", [TRUST_CARE] = "with care", [TRUST_NO] = "no",
	};

	return words[level];
}

const char *trust_verdict(enum trust_level level)
{
	static const char *const verdicts[] = {
		[TRUST_YES] = "yes",
		[TRUST_CARE] = "with care, for the reasons below",
		[TRUST_NO] = "no, for the reasons below",
	};

	return verdicts[level];
}

const char *trust_level_name(enum trust_level level)
{
	static const char *const names[] = {
		[TRUST_YES] = "note", [TRUST_CARE] = "care", [TRUST_NO] = "no",
	};

	return names[level];
}

static void print_bias(FILE *to, const char *level, const char *bias, const char *text)
{
	int used = fprintf(to, "  %-4s  %s:", level, bias);

	put_words(to, (size_t)used, " ", "        ", text);
}

void trust_print(FILE *to, const struct trust *t)
{
	char *command = trust_command(t);
	unsigned int level;
	size_t i;

	fprintf(to, "\n# can this recording be trusted? %s\n", trust_verdict(t->level));
	for (level = TRUST_NO + 1; level-- > TRUST_YES;) {
		for (i = 0; i < t->nr; i++) {
			if (t->found[i].level == level)
				print_bias(to, trust_level_name(level), t->found[i].bias, t->found[i].text);
		}
	}
	if (command && t->longer > 1)
		fprintf(to, "# record instead, at least %" PRIu64 " times as long: %s\n", t->longer, command);
	else if (command)
		fprintf(to, "# record instead: %s\n", command);
	free(command);
}
