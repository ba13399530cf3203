/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking devices from the driver in Linux's tree where that driver is built in.
 */
#ifndef SPE_TAKEOVER_H
#define SPE_TAKEOVER_H

void spe_takeover_begin(void);
void spe_takeover_settle(void);
void spe_takeover_end(void);

#endif /* SPE_TAKEOVER_H */
