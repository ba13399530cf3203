// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unloading our driver: the module stays as long as perf may call its code.  If a second event
 * has mapped the AUX buffer, the buffer outlives the first event, and perf frees it with a call
 * into the module.
 */
#include "loader.h"
#include "test.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

SPE_FIXTURE(module);

/* Opens a software event that uses the buffers of our event. */
static int open_sharing(int fd)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .disabled = 1,
	};
	int other = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (other < 0)
		return -errno;
	if (ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, fd)) {
		close(other);
		return -EINVAL;
	}
	return other;
}

TEST_F(module, stays_while_another_event_maps_its_buffer)
{
	struct spe_test *t = &self->t;
	void *ring, *aux;
	size_t ring_size, aux_size;
	int other;

	spe_open(_metadata, t, AUX_PAGES);
	other = open_sharing(t->session.fd);
	ASSERT_LE(0, other);
	ring_size = t->session.ring_size;
	aux_size = t->session.aux_size;
	ring = mmap(NULL, ring_size, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0);
	/*
	 * If perf refuses this mapping, the test must not map the AUX area either: see
	 * Documentation/testing-background.md, "A warning of Linux 7.3's perf".
	 */
	if (ring == MAP_FAILED && errno == EBUSY) {
		close(other);
		SKIP(return, "this kernel's perf lets no other event map a buffer");
	}
	ASSERT_NE(MAP_FAILED, ring);
	aux = mmap(NULL, aux_size, PROT_READ | PROT_WRITE, MAP_SHARED, other,
		   ring_size);
	ASSERT_NE(MAP_FAILED, aux);
	/* Our event and its two mappings go; the second event's mapping stays. */
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	EXPECT_EQ(-EWOULDBLOCK, spe_module_unload());
	ASSERT_EQ(0, munmap(aux, aux_size));
	ASSERT_EQ(0, munmap(ring, ring_size));
	ASSERT_EQ(0, close(other));
	ASSERT_EQ(0, spe_module_unload());
	ASSERT_EQ(0, spe_module_load());
}

TEST_HARNESS_MAIN
