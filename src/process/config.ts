// Settings from the environment, as one frozen object. The only reader of process.env; .env.example describes
// every setting.

import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

export interface Config {
  /** where it listens; port 0 takes a free one */
  readonly host: string
  readonly port: number
  /** undefined: the embedded PostgreSQL in dataDir */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** addresses that callers use; undefined: http://localhost:<port> */
  readonly baseUrl: string | undefined
  readonly authUrl: string | undefined
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly rateLimits: boolean
  /** origins whose pages may call the API from a browser; `*` is every one */
  readonly corsOrigins: readonly string[]
  readonly webhookAllowPrivate: boolean
  /**
   * seconds to wait after each failed attempt of a delivery; the last entry is never waited for, for then the
   * subscription fails
   */
  readonly webhookRetrySeconds: readonly number[]
  readonly roles: { readonly api: boolean; readonly worker: boolean }
  /** connections of each of the two pools */
  readonly poolSize: number
  /** 32 bytes that encrypt secrets in the database; undefined: kept in dataDir */
  readonly encryptionKey: Buffer | undefined
  /**
   * whose X-Forwarded-For is believed: nobody's, that of so many proxies in a row, or that of proxies at
   * these addresses and networks
   */
  readonly trustProxy: false | number | readonly string[]
}

/** A faulty environment: every fault at once, each naming its setting. */
export class ConfigError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(
      `The settings are not right:\n${faults.map(fault => `  - ${fault}`).join('\n')}\nEvery setting is ` +
        `described in .env.example.`,
    )
    this.faults = faults
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

// The last label has a letter: what is all digits and dots is an address that went wrong.
const hostName = /^(?=.{1,253}$)(?:[\w-]{1,63}\.)*(?=[\w-]*[a-z])[\w-]{1,63}\.?$/i

/**
 * Reads the settings, or throws a ConfigError that lists every fault. `quiet` logs warnings only where
 * LOG_LEVEL says nothing.
 */
export function readConfig(
  env: Record<string, string | undefined> = process.env,
  { quiet = false } = {},
): Config {
  const faults: string[] = []

  /**
   * The setting, or undefined when it is absent or empty. A reader that answers undefined has found a fault.
   */
  function setting<T>(name: string, wanted: string, read: (text: string) => T | undefined): T | undefined {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return undefined
    const value = read(text)
    if (value === undefined) faults.push(`${name} must be ${wanted}.`)
    return value
  }

  const oneOf = <const T extends string>(values: readonly T[]) => ({
    wanted: `one of ${values.join(', ')}`,
    read: (text: string) => values.find(value => value === text),
  })
  const whole = (min: number, max: number) => ({
    wanted: `a whole number from ${min} to ${max}`,
    read: (text: string) =>
      /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  })
  const onOff = {
    wanted: 'on or off',
    read: (text: string) =>
      ['on', 'true', '1'].includes(text) ? true : ['off', 'false', '0'].includes(text) ? false : undefined,
  }
  const address = {
    wanted: 'an http or https URL without a trailing path, such as https://waybill.example.com',
    read: (text: string) => {
      const url = URL.parse(text)
      const plain =
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        url.pathname === '/' &&
        !url.search &&
        !url.hash &&
        !url.username
      return plain ? url.origin : undefined
    },
  }
  const read = <T>(name: string, kind: { wanted: string; read: (text: string) => T | undefined }) =>
    setting(name, kind.wanted, kind.read)

  const host = setting('HOST', 'an IP address or a host name, such as 0.0.0.0 or localhost', text =>
    isIP(text) !== 0 || hostName.test(text) ? text : undefined,
  )
  const port = read('PORT', whole(0, 65535))
  const databaseUrl = setting('DATABASE_URL', 'a postgres:// or postgresql:// URL', text => {
    const url = URL.parse(text)
    return url !== null && /^postgres(ql)?:$/.test(url.protocol) ? text : undefined
  })
  const dataDir = resolve(env.DATA_DIR?.trim() || './data')
  if (!env.DATABASE_URL?.trim() && !canBeFolder(dataDir))
    faults.push('DATA_DIR must be a folder that exists or can be made.')
  const baseUrl = read('BASE_URL', address)
  const authUrl = read('AUTH_URL', address)
  const logLevel = read('LOG_LEVEL', oneOf(logLevels))
  const rateLimits = read('RATE_LIMITS', onOff)
  const corsOrigins = setting('CORS_ORIGINS', 'origins such as https://app.example.com, or *', text => {
    const origins = text.split(',').map(part => (part.trim() === '*' ? '*' : address.read(part.trim())))
    return origins.every(origin => origin !== undefined) ? origins : undefined
  })
  const webhookAllowPrivate = read('WEBHOOK_ALLOW_PRIVATE', onOff)
  const webhookRetrySeconds = setting(
    'WEBHOOK_RETRY_SECONDS',
    'five numbers of seconds, such as 5,30,120,600,3600',
    text => {
      const delays = text
        .split(',')
        .map(part => (/^\s*\d+(\.\d+)?\s*$/.test(part) ? Number(part) : Number.NaN))
      return delays.length === 5 && delays.every(delay => delay >= 0 && delay <= 86_400) ? delays : undefined
    },
  )
  const roles = read('ROLES', oneOf(['api', 'worker', 'both']))
  const poolSize = read('POOL_SIZE', whole(2, 200))
  const encryptionKey = setting('ENCRYPTION_KEY', '32 bytes in base64', text => {
    const bytes = Buffer.from(text, 'base64')
    return bytes.length === 32 && bytes.toString('base64') === text ? bytes : undefined
  })
  const trustProxy = setting(
    'TRUST_PROXY',
    'off, on, a number of proxies from 0 to 9, or networks such as 10.0.0.0/8,::1',
    text => {
      const isOn = onOff.read(text)
      if (isOn !== undefined) return isOn && 1
      return /^[2-9]$/.test(text) ? Number(text) : networksIn(text)
    },
  )

  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze({
    host: host ?? '0.0.0.0',
    port: port ?? 8080,
    databaseUrl,
    dataDir,
    baseUrl,
    authUrl,
    logLevel: logLevel ?? (quiet ? 'warn' : 'info'),
    rateLimits: rateLimits ?? true,
    corsOrigins: corsOrigins ?? [],
    webhookAllowPrivate: webhookAllowPrivate ?? false,
    webhookRetrySeconds: webhookRetrySeconds ?? [5, 30, 120, 600, 3600],
    roles: { api: roles !== 'worker', worker: roles !== 'api' },
    poolSize: poolSize ?? 10,
    encryptionKey,
    trustProxy: trustProxy ?? false,
  })
}

/** Whether a path is a folder with this access, or one that this process may make. */
function canBeFolder(path: string, access = constants.F_OK): boolean {
  try {
    accessSync(path, access)
    return statSync(path).isDirectory()
  } catch (error) {
    return (
      (error as NodeJS.ErrnoException).code === 'ENOENT' &&
      canBeFolder(dirname(path), constants.W_OK | constants.X_OK)
    )
  }
}

/** The addresses and networks of a list; undefined when something in it is neither. */
function networksIn(text: string): string[] | undefined {
  const networks = text.split(',').map(part => part.trim())
  const areNetworks = networks.every(network => {
    const [address = '', bits, ...more] = network.split('/')
    const max = { 4: 32, 6: 128 }[isIP(address)]
    if (max === undefined || more.length > 0) return false
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max)
  })
  return areNetworks ? networks : undefined
}
