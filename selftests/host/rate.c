// SPDX-License-Identifier: GPL-2.0-only
/* Frequency mode: the interval that the driver chooses, by simulated machines. */
#include "rate.h"
#include "test.h"

#define SECOND	1000000000ULL
#define LONGEST	0xffffff00ULL

/* A CPU that executes @speed operations a second, and a filter. */
struct machine {
	u64 speed;
	u64 keep;		/* the filter keeps one of this many samples */
	u64 jitter;		/* percent by which the work of a window varies */
	u64 left;		/* operations until the next sample */
	u64 samples;
	u64 records;
	u32 chance;
};

static u32 chance(struct machine *m)
{
	m->chance = m->chance * 1664525 + 1013904223;
	return m->chance >> 8;
}

/* Runs for @ns, and returns the number of records that passed the filter. */
static u64 run(struct machine *m, u64 interval, u64 ns)
{
	u64 before = m->samples / m->keep;
	u64 operations = m->speed / 1000 * (ns / 1000) / 1000;

	if (m->jitter)
		operations += operations * (chance(m) % (2 * m->jitter)) / 100 -
			      operations * m->jitter / 100;
	if (!m->left)
		m->left = interval;
	if (operations < m->left) {
		m->left -= operations;
		return 0;
	}
	operations -= m->left;
	m->samples += 1 + operations / interval;
	m->left = interval - operations % interval;
	m->records += m->samples / m->keep - before;
	return m->samples / m->keep - before;
}

/* Runs for @ns, and calls spe_rate_account() whenever spe_rate_due() has passed. */
static void steer(struct spe_rate *rate, struct machine *m, u64 ns)
{
	while (ns) {
		u64 from = rate->interval, step = spe_rate_due(rate), records;

		if (step < 1000)
			step = 1000;
		if (step > ns)
			step = ns;
		ns -= step;
		records = run(m, from, step);
		/* D17.3.3: the unit loads a counter of zero with the interval. */
		if (spe_rate_account(rate, records * SPE_RATE_PART, step))
			m->left = 0;
	}
}

static bool near(u64 got, u64 wanted, u64 percent)
{
	return got * 100 >= wanted * (100 - percent) && got * 100 <= wanted * (100 + percent);
}

static const u64 speeds[] = {
	20000000, 100000000, 1000000000, 4000000000, 16000000000,
};

/* The first second, including any excess or shortage at its start. */
TEST(first_second_is_within_20_percent)
{
	static const u64 wanted[] = { 100, 500, 1000, 4000, 10000, 40000 };

	for (size_t s = 0; s < ARRAY_SIZE(speeds); s++) {
		for (size_t w = 0; w < ARRAY_SIZE(wanted); w++) {
			struct machine m = { .speed = speeds[s], .keep = 1 };
			struct spe_rate rate;

			/* The shortest interval cannot reach this frequency. */
			if (speeds[s] / wanted[w] < 512)
				continue;
			spe_rate_init(&rate, wanted[w], 256, 0);
			steer(&rate, &m, SECOND);
			CHECK(near(m.records, wanted[w], 20), "%llu of %llu at %llu/s", m.records,
			      wanted[w], speeds[s]);
		}
	}
}

TEST(filtered_records_are_what_counts)
{
	for (u64 keep = 1; keep <= 1000; keep *= 10) {
		struct machine m = { .speed = 4000000000, .keep = keep };
		struct spe_rate rate;
		u64 before;

		spe_rate_init(&rate, 1000, 256, 0);
		steer(&rate, &m, SECOND);
		before = m.records;
		steer(&rate, &m, SECOND);
		CHECK(near(m.records - before, 1000, 20), "one of %llu: %llu", keep,
		      m.records - before);
	}
}

TEST(work_that_varies_is_followed)
{
	struct machine m = { .speed = 4000000000, .keep = 1, .jitter = 30 };
	struct spe_rate rate;
	u64 before;

	spe_rate_init(&rate, 2000, 256, 0);
	steer(&rate, &m, SECOND);
	CHECK(near(m.records, 2000, 20), "%llu", m.records);
	/*
	 * If the machine becomes ten times faster or slower, the frequency is right again
	 * after a second.
	 */
	for (u64 speed = 400000000; speed <= 40000000000; speed *= 10) {
		m.speed = speed;
		steer(&rate, &m, SECOND);
		before = m.records;
		steer(&rate, &m, SECOND);
		CHECK(near(m.records - before, 2000, 20), "%llu at %llu/s", m.records - before,
		      speed);
	}
}

/* The work varies from window to window, and the mean must still be right. */
TEST(work_without_any_rhythm_is_right_on_average)
{
	for (u64 jitter = 10; jitter <= 60; jitter += 10) {
		struct machine m = { .speed = 4000000000, .keep = 1, .jitter = jitter };
		struct spe_rate rate;
		u64 before;

		spe_rate_init(&rate, 1000, 256, 0);
		steer(&rate, &m, SECOND);
		before = m.records;
		steer(&rate, &m, 10 * SECOND);
		CHECK(near((m.records - before) / 10, 1000, 15), "%llu with %llu percent",
		      (m.records - before) / 10, jitter);
	}
}

/* The session of a task: many short times on a CPU, all shorter than a window. */
TEST(short_times_on_a_cpu_add_up)
{
	struct machine m = { .speed = 1000000000, .keep = 1 };
	struct spe_rate rate;

	spe_rate_init(&rate, 1000, 256, 4096);
	for (int i = 0; i < 10000; i++) {
		u64 records = run(&m, rate.interval, 100000);

		if (spe_rate_account(&rate, records * SPE_RATE_PART, 100000))
			m.left = 0;
	}
	CHECK(near(rate.interval, 1000000, 10), "interval %llu", rate.interval);
}

/* A buffer that fills before the window ends is enough for a decision. */
TEST(a_burst_is_answered_at_once)
{
	struct spe_rate rate;

	spe_rate_init(&rate, 1000, 256, 0);
	rate.window = SPE_RATE_WINDOW;
	rate.interval = 1024;
	CHECK(spe_rate_account(&rate, 2000 * SPE_RATE_PART, 100000), "nothing decided");
	/* There were 20000 times too many records, and rule 6 compensates for the excess. */
	CHECK(near(rate.interval, 1024 * 20000 * 4 / 3, 1), "interval %llu", rate.interval);
}

TEST(interval_stays_within_its_bounds)
{
	for (int parts = 0; parts < 64; parts++) {
		for (int ns = 0; ns < 64; ns++) {
			struct spe_rate rate;

			spe_rate_init(&rate, 1ULL << ns, 1024, 1ULL << parts);
			CHECK(rate.interval >= 1024 && rate.interval <= LONGEST, "begin");
			for (int i = 0; i < 10; i++) {
				spe_rate_account(&rate, 1ULL << parts, 1ULL << ns);
				CHECK(rate.interval >= 1024 && rate.interval <= LONGEST &&
				      !(rate.interval & 0xff), "%llu", rate.interval);
				CHECK(rate.window >= SPE_RATE_WINDOW_MIN &&
				      rate.window <= SPE_RATE_WINDOW_MAX, "%llu", rate.window);
				CHECK(spe_rate_due(&rate) >= 1 &&
				      spe_rate_due(&rate) <= rate.window, "due");
			}
		}
	}
}

TEST(idle_time_shortens_to_the_shortest)
{
	struct spe_rate rate;

	spe_rate_init(&rate, 1000, 768, 0);
	for (int i = 0; i < 100; i++)
		spe_rate_account(&rate, 0, SPE_RATE_WINDOW_MAX);
	CHECK(rate.interval == 768, "%llu", rate.interval);
}

/* Records must come even if the counter restarts with each window. */
TEST(low_frequencies_are_met_over_a_longer_time)
{
	static const u64 wanted[] = { 1, 2, 5, 20, 50 };

	for (size_t s = 0; s < ARRAY_SIZE(speeds); s++) {
		for (size_t w = 0; w < ARRAY_SIZE(wanted); w++) {
			struct machine m = { .speed = speeds[s], .keep = 1 };
			struct spe_rate rate;
			u64 before;

			/* The longest interval is 2^32 operations. */
			if (speeds[s] / wanted[w] >= LONGEST)
				continue;
			spe_rate_init(&rate, wanted[w], 256, 0);
			steer(&rate, &m, 60 * SECOND);
			before = m.records;
			steer(&rate, &m, 100 * SECOND);
			CHECK(near(m.records - before, 100 * wanted[w], 10), "%llu of %llu at %llu/s",
			      m.records - before, 100 * wanted[w], speeds[s]);
		}
	}
}

/* The caller restarts the counter only if the interval changed, and the law relies on that. */
TEST(the_counter_starts_anew_with_each_new_interval_alone)
{
	struct machine m = { .speed = 1000000000, .keep = 1 };
	struct spe_rate rate;

	spe_rate_init(&rate, 1000, 256, 0);
	for (int i = 0; i < 1000; i++) {
		u64 from = rate.interval, ns = spe_rate_due(&rate);
		bool changed = spe_rate_account(&rate, run(&m, from, ns) * SPE_RATE_PART, ns);

		CHECK(changed == (rate.interval != from), "%llu to %llu", from, rate.interval);
		if (changed)
			m.left = 0;
	}
}

/* The unit gets space for the records of a few windows, so that a burst ends soon. */
TEST(part_of_the_buffer_is_bounded)
{
	struct spe_rate rate;

	/* Rule 7: the records of four windows of 64 ms at 1000 a second, and 16 more. */
	spe_rate_init(&rate, 1000, 256, 0);
	CHECK(spe_rate_bytes(&rate, 64) == (256 + 16) * 64, "%llu", spe_rate_bytes(&rate, 64));

	spe_rate_init(&rate, 1000, 256, 0);
	CHECK(near(spe_rate_bytes(&rate, 64), 4 * 64 * 64, 10), "%llu", spe_rate_bytes(&rate, 64));
	spe_rate_init(&rate, 1, 256, 0);
	CHECK(spe_rate_bytes(&rate, 64) >= 16 * 64, "%llu", spe_rate_bytes(&rate, 64));
}

/* A record: address, operation type, events, counter, then End or Timestamp, padded to @align. */
static size_t record(u8 *at, bool timestamp, size_t align)
{
	static const u8 packets[] = {
		0xb0, 1, 1, 1, 1, 1, 0x71, 1, 0xc0,	/* 0x71 and 1 are payload */
		0x49, 1, 0x52, 2, 0, 0x20, 0x98, 1, 1,
	};
	size_t size = sizeof(packets);

	memcpy(at, packets, size);
	if (timestamp) {
		at[size] = 0x71;
		memset(at + size + 1, 1, 8);
		size += 9;
	} else {
		at[size++] = 1;
	}
	while (size % align)
		at[size++] = 0;
	return size;
}

TEST(records_are_counted_by_their_size)
{
	static u8 bytes[65536];

	for (size_t align = 1; align <= 64; align *= 2) {
		for (int timestamp = 0; timestamp < 2; timestamp++) {
			for (u64 n = 1; n <= 500; n++) {
				size_t size = 0;

				for (u64 i = 0; i < n; i++)
					size += record(bytes + size, timestamp, align);
				CHECK(near(spe_rate_records(bytes, size, 64), n * SPE_RATE_PART, 1),
				      "%llu of %llu, align %zu", spe_rate_records(bytes, size, 64),
				      n * SPE_RATE_PART, align);
			}
		}
	}
}

/* D18.1.1: a header byte 0b001xxxxx extends the next byte, which has the size. */
TEST(extended_headers_and_sizes_are_those_of_the_manual)
{
	for (unsigned int first = 0x20; first < 0x40; first++) {
		for (unsigned int size = 0; size < 4; size++) {
			/* An address packet with 1, 2, 4 or 8 bytes, then End. */
			u8 bytes[64] = { first, 0x80 | size << 4 };
			u64 at = 2 + (1 << size), whole_record = at + 1;

			memset(bytes + 2, 1, 1 << size);	/* the payload looks like End */
			bytes[at] = 1;
			CHECK(spe_rate_records(bytes, whole_record, 64) == SPE_RATE_PART,
			      "%#x, %u bytes: %llu", first, 1 << size,
			      spe_rate_records(bytes, whole_record, 64));
		}
	}
	/*
	 * The second byte of an extended header is no Timestamp or End packet, though it looks
	 * like the header of one.  So 0x71 and eight bytes, then End, are one record after an
	 * extending byte, and two after any other header without payload.
	 */
	for (unsigned int first = 0x1e; first < 0x40; first++) {
		u8 bytes[] = { first, 0x71, 2, 2, 2, 2, 2, 2, 2, 2, 1 };
		u64 records = first < 0x20 ? 2 : 1;

		CHECK(spe_rate_records(bytes, 11, 64) == 11 * SPE_RATE_PART / 11 * records,
		      "%#x: %llu", first, spe_rate_records(bytes, 11, 64));
	}
	CHECK(spe_rate_records((const u8 []) { 0x20, 0x01 }, 2, 64) == 2 * SPE_RATE_PART / 64,
	      "the last two bytes are a header");
	/* 0x1f and 0x40 are headers of one byte.  0x1f has no payload, and 0x40 has one byte. */
	CHECK(spe_rate_records((const u8 []) { 0x1f, 0x01 }, 2, 64) == SPE_RATE_PART, "0x1f");
	CHECK(spe_rate_records((const u8 []) { 0x40, 0x01, 0x01 }, 3, 64) == SPE_RATE_PART, "0x40");
	CHECK(spe_rate_records((const u8 []) { 0x40, 0x71, 0x01 }, 3, 64) == SPE_RATE_PART, "0x40 0x71");
	/*
	 * The last byte is the first of an extended header: the function reads nothing after it.
	 */
	CHECK(spe_rate_records((const u8 []) { 0x01, 0x20 }, 2, 64) == 2 * SPE_RATE_PART, "cut");
}

/*
 * The first sixteen records give the size.  Packets without an end count as a record of the
 * largest size.
 */
TEST(the_first_sixteen_records_decide)
{
	u8 bytes[1024];
	u64 at = 0;

	/* 16 records of 10 bytes, followed by larger ones. */
	for (int i = 0; i < 16; i++, at += 10) {
		memset(bytes + at, 0, 10);
		bytes[at] = 0x01;
	}
	memset(bytes + at, 0x49, sizeof(bytes) - at);
	CHECK(spe_rate_records(bytes, 640, 64) == 640 * SPE_RATE_PART / 160 * 16, "%llu",
	      spe_rate_records(bytes, 640, 64));
	/* The seventeenth record is whole too, and larger. */
	bytes[170] = 0x01;
	CHECK(spe_rate_records(bytes, 180, 64) == 180 * SPE_RATE_PART / 160 * 16, "%llu",
	      spe_rate_records(bytes, 180, 64));
	/* The size of each record counts from its own beginning: 8 times 10 and 20 bytes. */
	memset(bytes, 0, sizeof(bytes));
	for (int i = 0; i < 16; i++)
		bytes[i / 2 * 30 + i % 2 * 10] = 0x01;
	CHECK(spe_rate_records(bytes, 240, 64) == 240 * SPE_RATE_PART / 240 * 16, "%llu",
	      spe_rate_records(bytes, 240, 64));
	/* A record of the largest size counts.  With one byte more it does not. */
	memset(bytes, 0x02, sizeof(bytes));
	bytes[64] = 0x01;
	CHECK(spe_rate_records(bytes, 65, 64) == SPE_RATE_PART, "%llu",
	      spe_rate_records(bytes, 65, 64));
	bytes[64] = 0x02;
	bytes[65] = 0x01;
	CHECK(spe_rate_records(bytes, 66, 64) == 66 * SPE_RATE_PART / 64, "%llu",
	      spe_rate_records(bytes, 66, 64));
}

/* Any byte may be damaged.  The function must not read outside, or return too many records. */
TEST(bytes_that_are_no_records_are_taken_as_the_largest)
{
	for (unsigned int byte = 0; byte < 256; byte++) {
		for (size_t size = 0; size < 200; size++) {
			u8 *bytes = malloc(size ? size : 1);
			u64 parts;

			memset(bytes, byte, size);
			parts = spe_rate_records(bytes, size, 64);
			free(bytes);
			CHECK(parts <= size * SPE_RATE_PART, "%#x: %llu", byte, parts);
			CHECK(byte == 0x01 || byte == 0x71 || parts == size * SPE_RATE_PART / 64, "%#x: %llu",
			      byte, parts);
		}
	}
}
