// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps of sharers.c.  Each is a function of its own, so that its name tells what a thread
 * does.  Volatile and atomic accesses are all made, each with the size of its type.
 */
#include <stdatomic.h>

#include "sharers_steps.h"

static volatile uint64_t *word(uint8_t *at)
{
	return (volatile uint64_t *)(void *)at;
}

static _Atomic uint64_t *atomic_word(uint8_t *at)
{
	return (_Atomic uint64_t *)(void *)at;
}

static _Atomic uint32_t *atomic_half(uint8_t *at)
{
	return (_Atomic uint32_t *)(void *)at;
}

/* Work that touches no memory */
static void work(uint64_t turns)
{
	while (turns--)
		__asm__ volatile("");
}

STEP(fill)
{
	for (int i = 0; i < 8; i++)
		word(at)[i] = round;
}

STEP(add64) { (void)round; ++*word(at); }
STEP(add32) { (void)round; ++*(volatile uint32_t *)(void *)at; }
STEP(add16) { (void)round; ++*(volatile uint16_t *)(void *)at; }
STEP(add8) { (void)round; ++*(volatile uint8_t *)at; }
STEP(read64) { (void)round; (void)*word(at); }
STEP(read32) { (void)round; (void)*(volatile uint32_t *)(void *)at; }
STEP(read8) { (void)round; (void)*(volatile uint8_t *)at; }
STEP(write64) { *word(at) = round; }
STEP(write32) { *(volatile uint32_t *)(void *)at = (uint32_t)round; }
STEP(write8) { *(volatile uint8_t *)at = (uint8_t)round; }
STEP(add64_again) { (void)round; ++*word(at); }
STEP(read64_again) { (void)round; (void)*word(at); }

STEP(atomic_add)
{
	(void)round;
	atomic_fetch_add(atomic_word(at), 1);
}

STEP(atomic_or)
{
	atomic_fetch_or(atomic_word(at), UINT64_C(1) << round % 64);
}

/* A lock, and what it protects behind it */
STEP(lock_add)
{
	uint32_t free = 0;

	(void)round;
	while (!atomic_compare_exchange_weak(atomic_half(at), &free, 1))
		free = 0;
	++*word(at + 8);
	atomic_store(atomic_half(at), 0);
}

/* The lock's next ticket, the ticket that holds it, and what it protects */
STEP(ticket_add)
{
	uint32_t mine = atomic_fetch_add(atomic_half(at), 1);

	(void)round;
	while (atomic_load(atomic_half(at + 4)) != mine)
		;
	++*word(at + 8);
	atomic_store(atomic_half(at + 4), mine + 1);
}

/* A counter, odd while the two words behind it change */
STEP(sequence_write)
{
	atomic_fetch_add(atomic_half(at), 1);
	word(at)[1] = round;
	word(at)[2] = round;
	atomic_fetch_add(atomic_half(at), 1);
}

STEP(sequence_read)
{
	uint32_t before;

	(void)round;
	do {
		before = atomic_load(atomic_half(at));
		(void)word(at)[1];
		(void)word(at)[2];
	} while (before % 2 == 0 && atomic_load(atomic_half(at)) != before);
}

STEP(get_and_put)
{
	(void)round;
	atomic_fetch_add(atomic_half(at), 1);
	work(8);
	atomic_fetch_sub(atomic_half(at), 1);
}

/* The head of a list, and a count, by compare and swap */
STEP(push)
{
	uint64_t head = atomic_load(atomic_word(at));

	while (!atomic_compare_exchange_weak(atomic_word(at), &head, round))
		;
}

/* Where the writer of a ring is, and 8 bytes on its reader; each looks at both. */
STEP(ring_put)
{
	(void)word(at)[1];
	word(at)[0] = round;
}

STEP(ring_get)
{
	(void)word(at)[0];
	word(at)[1] = round;
}

/* The same, but each side looks at the other once in 512 rounds. */
STEP(cached_put)
{
	word(at)[0] = round;
	if (round % 512 == 0)
		(void)word(at)[1];
}

STEP(cached_get)
{
	word(at)[1] = round;
	if (round % 512 == 0)
		(void)word(at)[0];
}

STEP(mail_write)
{
	word(at)[1] = round;
	word(at)[0] = round + 1;
}

STEP(mail_read)
{
	(void)round;
	if (word(at)[0])
		(void)word(at)[1];
}

STEP(add_first_half)
{
	for (int i = 0; i < 4; i++)
		word(at)[i] += round;
}

STEP(add_second_half)
{
	for (int i = 4; i < 8; i++)
		word(at)[i] += round;
}

STEP(read_all)
{
	(void)round;
	for (int i = 0; i < 8; i++)
		(void)word(at)[i];
}

/* 32 bytes in one instruction */
STEP(copy32)
{
	(void)round;
	__asm__ volatile("ldp q0, q1, [%0]" :: "r"(at) : "v0", "v1", "memory");
}

STEP(write16)
{
	__asm__ volatile("stp %1, %1, [%0]" :: "r"(at), "r"(round) : "memory");
}

/* The last words of one thread's part of an array, and the first of the next one's */
STEP(sweep_end)
{
	for (int i = -12; i < 4; i++)
		word(at)[i] += round;
}

STEP(sweep_begin)
{
	for (int i = 4; i < 20; i++)
		word(at)[i] += round;
}
