// The network that an IP address belongs to. Limits count requests by network.

import ipaddr from 'ipaddr.js'

/**
 * The part of an address that identifies one household or server: the first 64 bits of an IPv6 address, and
 * all of an IPv4 address, even if it is written as an IPv6 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')
}
