# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the guests need: the virt machine, and virtio for what is attached to it.
CONFIG_ARM_VIRT=y
CONFIG_PCIE_PORT=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_RNG=y
CONFIG_VIRTIO_SCSI=y
CONFIG_VIRTIO_SERIAL=y
