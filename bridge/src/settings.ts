// The configuration file: the service, the printers, and how to reach them. All faults are reported together.

import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Driver } from './driver.ts'
import { folderPrinter } from './folder.ts'
import { ippPrinter } from './ipp.ts'
import { lpPrinter } from './lp.ts'
import { rawPrinter } from './raw.ts'

const types = { label: 1, document: 2 } as const
const languages = { pdf: 1, zpl: 2 } as const
const resolutions = [6, 8, 12, 24]

/** A printer as announced to the service. */
export interface AnnouncedPrinter {
  name: string
  /** 1 label, 2 document */
  type: number
  /** 1 PDF, 2 ZPL */
  language: number
  dotsPerMM: number | null
  media: string[]
}

/** A printer with its address and driver. */
export interface ConfiguredPrinter extends AnnouncedPrinter {
  uri: string
  driver: Driver
}

/** The contents of bridge.json. */
export interface Settings {
  url: string
  /** the address of the token endpoint; default `url` */
  authUrl: string
  printerBridgeId: string
  clientId: string
  clientSecret: string
  /** an absolute path */
  stateFolder: string
  printers: ConfiguredPrinter[]
}

/** Thrown for an invalid file. The message has a line for each fault. */
export class SettingsError extends Error {}

type JsonObject = Record<string, unknown>

/** Options for reading settings. */
export interface ReadOptions {
  /** accept an address without TLS that is not local */
  allowHttp?: boolean
  /** the value of BRIDGE_CLIENT_SECRET, which replaces the secret of the file */
  clientSecret?: string | undefined
}

/** Reads a configuration file. Throws SettingsError with all faults. */
export async function readSettings(path: string, options: ReadOptions = {}): Promise<Settings> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new SettingsError(`${path} cannot be read: ${(error as Error).message}`)
  }
  return settingsFrom(content, dirname(resolve(path)), options)
}

/** Validates the contents of a file. Relative paths are relative to `folder`. Throws SettingsError. */
export function settingsFrom(content: unknown, folder: string, options: ReadOptions = {}): Settings {
  const faults: string[] = []
  const file = objectOf(content) ?? {}
  if (objectOf(content) === undefined) faults.push('The file must hold an object.')
  const requireText = (from: JsonObject, key: string, where: string): string => {
    const value = from[key]
    if (typeof value === 'string' && value !== '') return value
    faults.push(`${where}${key} is required: a text.`)
    return ''
  }
  const url = readAddress(file.url, 'url', options, faults)
  const clientSecret = options.clientSecret || file.clientSecret
  if (typeof clientSecret !== 'string' || clientSecret === '')
    faults.push('clientSecret is required, here or as BRIDGE_CLIENT_SECRET.')
  const printers = Array.isArray(file.printers) ? file.printers : []
  if (printers.length === 0) faults.push('printers is required: a list with one printer or more.')
  const settings: Settings = {
    url,
    authUrl: file.authUrl === undefined ? url : readAddress(file.authUrl, 'authUrl', options, faults),
    printerBridgeId: requireText(file, 'printerBridgeId', ''),
    clientId: requireText(file, 'clientId', ''),
    clientSecret: String(clientSecret),
    stateFolder: resolve(folder, requireText(file, 'stateFolder', '')),
    printers: printers.map((printer, i) =>
      readPrinter(printer, `printers[${i}].`, folder, faults, requireText),
    ),
  }
  const names = settings.printers.map(({ name }) => name.toLowerCase())
  for (const [i, name] of names.entries())
    if (names.indexOf(name) < i) faults.push(`printers[${i}].name is there twice: ${name}.`)
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  return settings
}

const objectOf = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

const localHosts = ['localhost', '127.0.0.1', '[::1]']

/** Validates an address of the service, and returns it without a trailing slash. */
function readAddress(value: unknown, key: string, { allowHttp }: ReadOptions, faults: string[]): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    faults.push(`${key} is required: the address of the service, such as https://waybill.example.com.`)
  else if (url.protocol === 'http:' && !localHosts.includes(url.hostname) && allowHttp !== true)
    faults.push(`${key} must begin with https://, or anybody on the way can read the secret (--allow-http).`)
  return String(value).replace(/\/+$/, '')
}

function readPrinter(
  content: unknown,
  where: string,
  folder: string,
  faults: string[],
  requireText: (from: JsonObject, key: string, where: string) => string,
): ConfiguredPrinter {
  const printer = objectOf(content) ?? {}
  const requireOneOf = <const V>(values: Readonly<Record<string, V>>, key: string): V | undefined => {
    const name = String(printer[key])
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) faults.push(`${where}${key} must be one of ${Object.keys(values).join(', ')}.`)
    return value
  }
  const type = requireOneOf(types, 'type') ?? types.label
  const language = requireOneOf(languages, 'language') ?? languages.pdf
  const dotsPerMM = printer.dotsPerMM ?? null
  if ((dotsPerMM !== null || language === languages.zpl) && !resolutions.includes(Number(dotsPerMM)))
    faults.push(`${where}dotsPerMM must be one of ${resolutions.join(', ')}: 8 are 203 dpi, 12 are 300.`)
  const media = printer.media ?? []
  if (!Array.isArray(media) || media.some(name => typeof name !== 'string'))
    faults.push(`${where}media must be a list of names such as iso_a4_210x297mm.`)
  const uri = requireText(printer, 'uri', where)
  const zplDotsPerMM = language === languages.zpl ? Number(dotsPerMM) : undefined
  const acceptAnyCertificate = printer.acceptAnyCertificate === true
  const driver = uri === '' ? undefined : createDriver(uri, zplDotsPerMM, folder, acceptAnyCertificate)
  if (uri !== '' && driver === undefined)
    faults.push(`${where}uri must begin with ipp://, ipps://, tcp://, lp: or folder:, not ${uri}.`)
  return {
    name: requireText(printer, 'name', where),
    type,
    language,
    dotsPerMM: dotsPerMM as number | null,
    media: media as string[],
    uri,
    driver: driver ?? folderPrinter(folder),
  }
}

/**
 * Creates the driver for an address; undefined for an unsupported address. `zplDotsPerMM` is set for ZPL
 * printers.
 */
function createDriver(
  uri: string,
  zplDotsPerMM: number | undefined,
  folder: string,
  acceptAnyCertificate: boolean,
): Driver | undefined {
  const [, scheme, rest = ''] = /^(ipps?|tcp|lp|folder):(.+)$/.exec(uri) ?? []
  if (scheme === 'lp') return lpPrinter(rest)
  if (scheme === 'folder') return folderPrinter(resolve(folder, rest), zplDotsPerMM)
  if (scheme === undefined || !URL.canParse(uri) || !rest.startsWith('//')) return undefined
  if (scheme !== 'tcp') return ippPrinter(uri, { acceptAnyCertificate })
  const { hostname, port } = new URL(uri)
  return rawPrinter(
    hostname.replace(/^\[|\]$/g, ''),
    Number(port || 9100),
    zplDotsPerMM === undefined ? 'application/pdf' : 'application/zpl',
  )
}
