// The kinds of values that settings can have: what each must look like, and how it is parsed.

import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import { type Ports, parsePorts } from '../platform/outgoing/ports.ts'

/** A kind of value. `read` returns undefined for a text that is not one. */
export interface SettingKind<T> {
  /** completes the sentence "The setting must be …" */
  readonly expected: string
  read(text: string): T | undefined
}

/** One of a few words. */
export const oneOf = <const T extends string>(values: readonly T[]): SettingKind<T> => ({
  expected: `one of ${values.join(', ')}`,
  read: text => values.find(value => value === text),
})

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number): SettingKind<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  read: text => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
})

export const onOff: SettingKind<boolean> = {
  expected: 'on or off',
  read: text =>
    ['on', 'true', '1'].includes(text) ? true : ['off', 'false', '0'].includes(text) ? false : undefined,
}

/** The address of a service, without a path. */
export const address: SettingKind<string> = {
  expected: 'an http or https URL without a trailing path, such as https://waybill.example.com',
  read(text) {
    const url = URL.parse(text)
    const isPlain =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      url.pathname === '/' &&
      !url.search &&
      !url.hash &&
      !url.username
    return isPlain ? url.origin : undefined
  },
}

/** Origins of pages; `*` stands for all. */
export const origins: SettingKind<string[]> = {
  expected: 'origins such as https://app.example.com, or *',
  read(text) {
    const all = text.split(',').map(part => (part.trim() === '*' ? '*' : address.read(part.trim())))
    return all.every(origin => origin !== undefined) ? all : undefined
  },
}

// The last label must contain a letter: digits and dots alone are a malformed IP address.
const hostName = /^(?=.{1,253}$)(?:[\w-]{1,63}\.)*(?=[\w-]*[a-z])[\w-]{1,63}\.?$/i

/** An address or host name that a server can listen on. */
export const host: SettingKind<string> = {
  expected: 'an IP address or a host name, such as 0.0.0.0 or localhost',
  read: text => (isIP(text) !== 0 || hostName.test(text) ? text : undefined),
}

export const ports: SettingKind<Ports> = {
  expected: 'ports and ranges of ports, such as 443,8443,9000-9099',
  read: parsePorts,
}

export const postgresUrl: SettingKind<string> = {
  expected:
    'a postgres:// or postgresql:// URL, in which signs such as / @ # % of a password are written as %2F ' +
    '%40 %23 %25 (PGHOST, PGUSER, PGPASSWORD and PGDATABASE take them as they are)',
  read(text) {
    const url = URL.parse(text)
    return url !== null && /^postgres(ql)?:$/.test(url.protocol) ? text : undefined
  },
}

/** The delays, in seconds, after each of the five failed attempts of a delivery. */
export const fiveDelays: SettingKind<readonly number[]> = {
  expected: 'five numbers of seconds, such as 5,30,120,600,3600',
  read(text) {
    const delays = text.split(',').map(part => (/^\s*\d+(\.\d+)?\s*$/.test(part) ? Number(part) : Number.NaN))
    return delays.length === 5 && delays.every(delay => delay >= 0 && delay <= 86_400) ? delays : undefined
  },
}

export const key32: SettingKind<Buffer> = {
  expected: '32 bytes in base64',
  read(text) {
    const bytes = Buffer.from(text, 'base64')
    return bytes.length === 32 && bytes.toString('base64') === text ? bytes : undefined
  },
}

/** A token that a program sends in a header. */
export const bearerToken: SettingKind<string> = {
  expected: '16 to 200 letters, digits and the signs - . _ ~ + / =',
  read: text => (/^[\w.~+/=-]{16,200}$/.test(text) ? text : undefined),
}

/** Whose X-Forwarded-For is trusted. */
export const proxies: SettingKind<false | number | readonly string[]> = {
  expected: 'off, on, a number of proxies from 0 to 9, or networks such as 10.0.0.0/8,::1',
  read(text) {
    const isOn = onOff.read(text)
    if (isOn !== undefined) return isOn && 1
    return /^[2-9]$/.test(text) ? Number(text) : parseNetworks(text)
  },
}

/** Parses a list of addresses and networks. Returns undefined if an entry is neither. */
function parseNetworks(text: string): string[] | undefined {
  const networks = text.split(',').map(part => part.trim())
  const areNetworks = networks.every(network => {
    const [start = '', bits, ...more] = network.split('/')
    const max = { 4: 32, 6: 128 }[isIP(start)]
    if (max === undefined || more.length > 0) return false
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max)
  })
  return areNetworks ? networks : undefined
}

/** An existing folder; a relative path is resolved against `base`. */
export const folder = (base: string): SettingKind<string> => ({
  expected: 'a folder that this account can read',
  read(text) {
    const path = resolve(base, text)
    try {
      accessSync(path, constants.R_OK | constants.X_OK)
      return statSync(path).isDirectory() ? path : undefined
    } catch {
      return undefined
    }
  },
})

/** Says why a path is not a folder and cannot be created as one. Undefined if it is or can. */
export function folderFault(path: string, access = constants.F_OK): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return `${path} is not a folder`
    accessSync(path, access)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return folderFault(dirname(path), constants.W_OK | constants.X_OK)
    return `this account cannot ${access === constants.F_OK ? 'reach' : 'write to'} ${path}`
  }
}
