// Which addresses the service may call at all: public ones only, judged without the network. Spec 6.5.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { includesPort, type Ports, portsInWords } from './ports.ts'

/**
 * What an outgoing address may be: `allowPrivate` permits plain HTTP, private addresses and every port;
 * otherwise `ports` are the allowed ones.
 */
export interface AddressRules {
  allowPrivate: boolean
  ports: Ports
}

// Global unicast is all that the internet routes of IPv6; everything else is special, or not handed out yet.
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
// A public number by the registries, yet on Azure it is the host's own control service.
const AZURE_HOST = '168.63.129.16'
// Names that only ever mean this machine or the local network.
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/

/**
 * Whether an IP address literal (without brackets) is an ordinary public one. IPv4 addresses mapped into IPv6
 * count as what they hold; addresses that carry another one inside (NAT64, 6to4, Teredo) are never public.
 * Anything that is no address: false.
 */
export function isPublicAddress(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' ? parsed.toString() !== AZURE_HOST : parsed.match(GLOBAL_UNICAST_V6)
}

/** The host of a URL as connectors and resolvers take it: no brackets around IPv6, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, '')
}

/** An address as it is called: parsed, without fragment and trailing dot of its host. */
export function asParsed(address: string): string {
  const url = new URL(address)
  const host = hostOf(url)
  if (!isIP(host)) url.hostname = host
  url.hash = ''
  return url.href
}

/**
 * Reads an address to call. Hosts are parsed here, once, by the URL standard, so that `0x7f.1` and
 * `2130706433` are already 127.0.0.1 when they are judged. Gives the URL without fragment and trailing dot,
 * or a full sentence about `field` that says why the address is refused. Names are not resolved here.
 */
export function readAddress(text: string, rules: AddressRules, field: string): URL | string {
  // The URL standard leaves line breaks and tabs out, and blanks at the ends.
  if (/\p{Cc}/u.test(text)) return `${field} must not contain line breaks or control characters.`
  const url = URL.parse(text)
  if (url === null) return `${field} must be a complete web address.`
  if (url.protocol !== 'https:' && !(rules.allowPrivate && url.protocol === 'http:'))
    return `${field} must begin with https://${rules.allowPrivate ? ' or http://' : ''}.`
  if (url.username !== '' || url.password !== '') return `${field} must not contain a user name or password.`
  const host = hostOf(url)
  // A second trailing dot or an empty label is no host name, though the URL standard lets it pass.
  if (host === '' || host.endsWith('.') || host.includes('..')) return `${field} must name a valid host.`
  url.href = asParsed(text)
  return rules.allowPrivate ? url : (refusalOfPublic(url, host, rules.ports, field) ?? url)
}

function refusalOfPublic(url: URL, host: string, ports: Ports, field: string): string | null {
  if (isIP(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host) || !host.includes('.'))
    return notPublic(field)
  if (!includesPort(ports, Number(url.port || 443))) return `${field} must use port ${portsInWords(ports)}.`
  return null
}

/**
 * The one sentence for every address that is not public: it tells nothing about what stands behind a name.
 */
export function notPublic(field: string): string {
  return `${field} must be a public address.`
}
