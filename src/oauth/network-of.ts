// Who an address stands for, where requests are counted by address.

import ipaddr from 'ipaddr.js'

/**
 * The network that one household or server has to itself: of an IPv6 address the first 64 bits, an IPv4
 * address as it is, also where it is written as IPv6.
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
