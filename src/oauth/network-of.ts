// Who an address stands for, where requests are counted by address.

import { isIPv6 } from 'node:net'

/**
 * An IPv6 address as the first 64 bits, which one household or server has to itself; an IPv4 address as it
 * is.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = '', after] = address.split('%')[0]?.split('::') ?? []
  const head = before.split(':').filter(part => part !== '')
  const tail = (after ?? '').split(':').filter(part => part !== '')
  const all =
    after === undefined
      ? head
      : [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
  return all
    .slice(0, 4)
    .map(part => Number.parseInt(part, 16).toString(16))
    .join(':')
}
