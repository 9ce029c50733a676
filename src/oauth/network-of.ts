// The network of an IP address, by which requests are counted.

import ipaddr from 'ipaddr.js'

/**
 * The part of an address that identifies one household or server: the first 64 bits of an IPv6 address, all
 * of an IPv4 address, also where it is written as IPv6. /
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
