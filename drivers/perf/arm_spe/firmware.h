/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A platform device from the MADT where the kernel makes none.
 */
#ifndef SPE_FIRMWARE_H
#define SPE_FIRMWARE_H

void spe_firmware_init(void);
void spe_firmware_exit(void);

#endif /* SPE_FIRMWARE_H */
