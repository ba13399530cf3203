/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confidence intervals of 95% for what is estimated from samples, and tests of whether two
 * estimates differ.  Pure: numbers in, numbers out.
 *
 * @effect is the design effect: how many times the variance of the estimate exceeds that
 * of as many independent samples.  1 for independent samples.
 */
#ifndef PERF_SPE_INTERVAL_H
#define PERF_SPE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/* The part of a normal distribution within 1.96 standard deviations of its mean is 95%. */
#define INTERVAL_Z	1.959963984540054

struct interval {
	double low, high;
	bool open;		/* the samples give no upper limit */
};

/*
 * The share that @count of @all samples estimate, 0 to 1: Wilson's score interval.  @all
 * must not be 0.
 */
struct interval interval_share(double count, double all, double effect);
/*
 * The expected number of samples where @count were seen and no number of samples is given:
 * the score interval of a Poisson distribution.
 */
struct interval interval_count(double count, double effect);

/* A distribution by its moments; deviation and third moment are around the mean. */
struct moments {
	double count, mean;
	double deviation;	/* the standard deviation, by count - 1 */
	double skewness;	/* the third moment by the cube of the deviation */
};

/* Fewer values than these have no interval of the mean: their deviation says little. */
#define INTERVAL_VALUES	5

/*
 * The mean: Student's interval, with Hall's transformation for the skewness, which latencies
 * have.  False for fewer than INTERVAL_VALUES values.
 */
bool interval_mean(const struct moments *m, double effect, struct interval *i);
/* A normal estimate of 0 to infinity with this standard error */
struct interval interval_normal(double estimate, double error);

/*
 * The design effect where successive samples have this @correlation, estimated from so many
 * @pairs.  A program's phases make it positive: then samples at regular intervals divide
 * each phase more evenly than independent ones would.
 */
double interval_effect(double correlation, uint64_t pairs);

/* Ranks of sorted values, from 1 on; high 0: above the largest value */
struct ranks {
	uint64_t low, high;
};

/*
 * The ranks between which the quantile @part (0 to 1) lies: order statistics by the binomial
 * distribution.  @count must not be 0.
 */
struct ranks interval_ranks(uint64_t count, double part, double effect);

/* The quantile 0.975 of Student's distribution with @freedom degrees of freedom, at least 4 */
double interval_student(double freedom);

#endif
