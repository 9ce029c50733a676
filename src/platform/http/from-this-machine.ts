// Whether a request comes from a program on this machine.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

// Any of these headers means that the request came through a proxy, which may run on this machine.
const forwardingHeader = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-.+)$/

/**
 * Whether a request comes directly from a program on this machine: over loopback, through no proxy, and with
 * a local host name, so that no web page can send it under a domain that resolves to this machine (DNS
 * rebinding).
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const { remoteAddress = '' } = socket
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== 'loopback') return false
  if (Object.keys(headers).some(name => forwardingHeader.test(name))) return false
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(headers.host ?? '')
}
