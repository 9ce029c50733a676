// Decides which addresses the service may call: only public ones. No name is resolved here. Spec 6.5.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { formatPorts, includesPort, type Ports } from './ports.ts'

/**
 * The rules for outgoing addresses: `allowPrivate` permits plain HTTP, private addresses and every port.
 * Without it, only `ports` are permitted.
 */
export interface AddressRules {
  allowPrivate: boolean
  ports: Ports
}

// Global unicast is the only part of IPv6 that the internet routes. The rest is reserved or not yet assigned.
const globalUnicastV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
// Registered as a public address, but on Azure it is the control service of the host.
const azureHost = '168.63.129.16'
// Names that always mean this machine or the local network.
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/

/**
 * Whether an IP address literal, without brackets, is an ordinary public address. An IPv4-mapped IPv6 address
 * is treated as the IPv4 address. Other addresses that embed an address (NAT64, 6to4, Teredo) are never
 * public. Returns false for anything that is not an address.
 */
export function isPublicAddress(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' ? parsed.toString() !== azureHost : parsed.match(globalUnicastV6)
}

/** The host of a URL in the form for connectors and resolvers: no brackets around IPv6, no trailing dot. */
export function parseHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, '')
}

/** Normalises an address: the URL as parsed, without fragment and without a trailing dot of the host. */
export function normaliseAddress(address: string): string {
  const url = new URL(address)
  const host = parseHost(url)
  if (!isIP(host)) url.hostname = host
  url.hash = ''
  return url.href
}

/**
 * Parses an address to call. The URL standard normalises the host, so `0x7f.1` and `2130706433` are already
 * 127.0.0.1 when they are checked. Returns the URL without fragment and trailing dot, or a full sentence
 * about `field` that says why the address is refused. Names are not resolved.
 */
export function parseAddress(text: string, rules: AddressRules, field: string): URL | string {
  // URL parsing would silently remove line breaks, tabs, and spaces at the ends.
  if (/\p{Cc}/u.test(text)) return `${field} must not contain line breaks or control characters.`
  const url = URL.parse(text)
  if (url === null) return `${field} must be a complete web address, beginning with https.`
  if (url.protocol !== 'https:' && !(rules.allowPrivate && url.protocol === 'http:'))
    return `${field} must begin with https://${rules.allowPrivate ? ' or http://' : ''}.`
  if (url.username !== '' || url.password !== '') return `${field} must not contain a user name or password.`
  const host = parseHost(url)
  // A second trailing dot or an empty label is not a valid host name, although the URL standard accepts it.
  if (host === '' || host.endsWith('.') || host.includes('..')) return `${field} must name a valid host.`
  url.href = normaliseAddress(text)
  return rules.allowPrivate ? url : (publicAddressFault(url, host, rules.ports, field) ?? url)
}

/** Returns why an address is not public or has a port that is not permitted, or null. */
function publicAddressFault(url: URL, host: string, ports: Ports, field: string): string | null {
  if (isIP(host) ? !isPublicAddress(host) : localName.test(host) || !host.includes('.'))
    return notPublicMessage(field)
  if (!includesPort(ports, Number(url.port || 443))) return `${field} must use port ${formatPorts(ports)}.`
  return null
}

/**
 * Returns the message for every address that is not public. It is always the same, so that it reveals nothing
 * about the addresses of a name.
 */
export function notPublicMessage(field: string): string {
  return `${field} must be a public address.`
}
