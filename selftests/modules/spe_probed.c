// SPDX-License-Identifier: GPL-2.0-only
/*
 * For guests: a kprobe on an instruction that the kernel executes out of line, and a second
 * kprobe on a function that the test chooses, for example one that the handler of the Profiling
 * exception calls.
 *
 * /sys/module/spe_probed/parameters:
 *   inner	write FUNCTION: sets the second kprobe on its first instruction
 *   run	write N: executes the probed instruction N times
 *   nested	write N: the same while a kprobe is already running, as in a handler of
 *		an fprobe that shares with kprobes (kernel/trace/fprobe.c)
 *   result	read: "outer=O hits=H missed=M" during the last "run" or "nested": hits of
 *		the first kprobe, hits of the second, and how often the CPU met the second
 *		while another kprobe was running
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

static atomic_t outer_hits = ATOMIC_INIT(0);
static atomic_t inner_hits = ATOMIC_INIT(0);
static char inner_name[KSYM_NAME_LEN];
static void (*busy_begin)(void);
static void (*busy_end)(void);

/* kprobes does not simulate ADD: it copies ADD to a slot and executes it there. */
#define ADD_X9_X9_1	0x91000529

static noinline void step(void)
{
	asm volatile("add x9, x9, #1" : : : "x9");
}

static int outer_hit(struct kprobe *probe, struct pt_regs *regs)
{
	atomic_inc(&outer_hits);
	return 0;
}

static int inner_hit(struct kprobe *probe, struct pt_regs *regs)
{
	atomic_inc(&inner_hits);
	return 0;
}

static struct kprobe outer = {
	.addr = (kprobe_opcode_t *)step,
	.pre_handler = outer_hit,
};

static struct kprobe inner = {
	.symbol_name = inner_name,
	.pre_handler = inner_hit,
};

static void remove_inner(void)
{
	if (*inner_name)
		unregister_kprobe(&inner);
	*inner_name = '\0';
}

static int set_inner(const char *text, const struct kernel_param *unused)
{
	int err;

	remove_inner();
	inner = (struct kprobe){ .symbol_name = inner_name, .pre_handler = inner_hit };
	strscpy(inner_name, text, sizeof(inner_name));
	strim(inner_name);
	err = register_kprobe(&inner);
	if (err)
		*inner_name = '\0';
	return err;
}

static int run(const char *text, const struct kernel_param *unused)
{
	unsigned int i, n;
	int err = kstrtouint(text, 0, &n);

	atomic_set(&outer_hits, 0);
	atomic_set(&inner_hits, 0);
	inner.nmissed = 0;
	for (i = 0; !err && i < n; i++)
		step();
	return err;
}

static int run_nested(const char *text, const struct kernel_param *unused)
{
	int err;

	busy_begin();
	err = run(text, NULL);
	busy_end();
	return err;
}

static int result(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "outer=%d hits=%d missed=%lu\n", atomic_read(&outer_hits),
			  atomic_read(&inner_hits), inner.nmissed);
}

static const struct kernel_param_ops inner_ops = { .set = set_inner };
static const struct kernel_param_ops run_ops = { .set = run };
static const struct kernel_param_ops nested_ops = { .set = run_nested };
static const struct kernel_param_ops result_ops = { .get = result };
module_param_cb(inner, &inner_ops, NULL, 0200);
module_param_cb(run, &run_ops, NULL, 0200);
module_param_cb(nested, &nested_ops, NULL, 0200);
module_param_cb(result, &result_ops, NULL, 0400);

/* The kernel does not export these functions; a kprobe finds their addresses. */
static int find(const char *name, void (**function)(void))
{
	struct kprobe probe = { .symbol_name = name };
	int err = register_kprobe(&probe);

	if (err)
		return err;
	*function = (void (*)(void))probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

static int __init probed_init(void)
{
	int err = find("kprobe_busy_begin", &busy_begin) ?: find("kprobe_busy_end", &busy_end);

	err = err ?: register_kprobe(&outer);
	if (err)
		return err;
	/* Fails if the compiler has put another instruction first. */
	if (le32_to_cpu(outer.opcode) != ADD_X9_X9_1) {
		unregister_kprobe(&outer);
		return -ENOEXEC;
	}
	return 0;
}

static void __exit probed_exit(void)
{
	remove_inner();
	unregister_kprobe(&outer);
}

module_init(probed_init);
module_exit(probed_exit);

MODULE_DESCRIPTION("Kprobes that nest, for tests of the Profiling exception");
MODULE_LICENSE("GPL");
