/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program tells where its objects are and what members they have, by its compiler's own sizeof
 * and offsetof.  The compiler refuses a type that is not the object's.
 */
#ifndef TYPES_WITNESS_H
#define TYPES_WITNESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* @count is 0, or how many elements of @type there are. */
void witness_object(const volatile void *address, size_t size, const char *type, size_t count);
void witness_forget(const volatile void *address);
void witness_member(const char *type, const char *member, size_t offset, size_t size,
		    const char *of);

/* A variable that is in memory at any level of optimisation, or memory of the heap */
#define OBJECT(object, type)						\
	((void)(&(object) == (__typeof__(type) *)0),			\
	 witness_object(&(object), sizeof(object), #type, 0))
/* @count elements of the heap */
#define OBJECTS(pointer, count, type)					\
	((void)((pointer) == (__typeof__(type) *)0),			\
	 witness_object(pointer, (count) * sizeof(type), #type, count))
/* A variable or parameter that optimisation keeps in a register */
#ifdef __OPTIMIZE__
#define LOCAL(object, type)	((void)0)
#else
#define LOCAL(object, type)	OBJECT(object, type)
#endif
#define MEMBER(type, member, of)					\
	((void)(&((type *)0)->member == (__typeof__(of) *)0),		\
	 witness_member(#type, #member, offsetof(type, member),	\
			sizeof(((type *)0)->member), #of))
/* Bit-fields have no address: their bytes by the AAPCS64 */
#define BITS(type, members, offset, size)				\
	witness_member(#type, members, offset, size, "bits")

#endif
