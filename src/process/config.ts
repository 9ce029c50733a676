// Settings from the environment, as one frozen object. The only reader of process.env; .env.example describes
// every setting.

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defaultPorts, type Ports } from '../platform/outgoing/ports.ts'
import {
  address,
  bearerToken,
  fiveDelays,
  folder,
  folderFault,
  host,
  type Kind,
  key32,
  oneOf,
  onOff,
  origins,
  ports,
  postgresUrl,
  proxies,
  whole,
} from './setting-kinds.ts'

export interface Config {
  /** where it listens; port 0 takes a free one */
  readonly host: string
  readonly port: number
  /** undefined: the embedded PostgreSQL in dataDir */
  readonly databaseUrl: string | undefined
  /** the same database without a transaction pooler, for what needs a session; undefined: databaseUrl */
  readonly databaseDirectUrl: string | undefined
  /** the setting that names the database, for messages */
  readonly databaseSetting: 'DATABASE_URL' | 'PGHOST' | 'DATA_DIR'
  readonly dataDir: string
  /** addresses that callers use; undefined: http://localhost:<port> */
  readonly baseUrl: string | undefined
  readonly authUrl: string | undefined
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly rateLimits: boolean
  /** origins whose pages may call the API from a browser; `*` is every one */
  readonly corsOrigins: readonly string[]
  readonly webhookAllowPrivate: boolean
  /** ports of receivers and of files to download */
  readonly webhookPorts: Ports
  /**
   * seconds to wait after each failed attempt of a delivery; the last is never waited for, because the
   * subscription fails then
   */
  readonly webhookRetrySeconds: readonly number[]
  readonly roles: { readonly api: boolean; readonly worker: boolean }
  /** connections of each of the two pools */
  readonly poolSize: number
  /** reports that are made at a time, each over a connection of its own */
  readonly reportConnections: number
  /** 32 bytes that encrypt secrets in the database; undefined: kept in dataDir */
  readonly encryptionKey: Buffer | undefined
  /** where metrics are served; undefined: on `port` */
  readonly metricsPort: number | undefined
  /** what has to be sent to get metrics; undefined: nothing */
  readonly metricsToken: string | undefined
  /**
   * whose X-Forwarded-For is believed: nobody's, that of so many proxies in a row, or that of proxies at
   * these addresses and networks
   */
  readonly trustProxy: false | number | readonly string[]
  /** a folder of fonts for documents, beside those that come along */
  readonly documentFonts: string | undefined
  /** documents made at a time */
  readonly documentThreads: number
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

/** The names of all settings, as .env.example has them. */
export const settingNames = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATA_DIR',
  'BASE_URL',
  'AUTH_URL',
  'LOG_LEVEL',
  'RATE_LIMITS',
  'CORS_ORIGINS',
  'WEBHOOK_ALLOW_PRIVATE',
  'WEBHOOK_PORTS',
  'WEBHOOK_RETRY_SECONDS',
  'ROLES',
  'POOL_SIZE',
  'REPORT_CONNECTIONS',
  'ENCRYPTION_KEY',
  'METRICS_PORT',
  'METRICS_TOKEN',
  'TRUST_PROXY',
  'DOCUMENT_FONTS',
  'DOCUMENT_THREADS',
] as const

const waybillFolder = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Where .env is and relative paths of settings begin: the folder of Waybill itself, or where npm has
 * installed it as a package the current one, because what lies in node_modules goes with the next
 * installation.
 */
export const ownFolder = waybillFolder.includes('/node_modules/') ? process.cwd() : waybillFolder

type Environment = Record<string, string | undefined>

/**
 * The database that the variables of libpq name, if PGHOST is set. What is missing (a password, PGSSLMODE)
 * the driver takes from them itself.
 */
function urlOfLibpq(env: Environment, read: <T, D>(name: string, kind: Kind<T>, byDefault: D) => T | D) {
  const host = env.PGHOST?.trim()
  if (!host) return undefined
  const [user = '', password = '', database = ''] = ['PGUSER', 'PGPASSWORD', 'PGDATABASE'].map(name =>
    encodeURIComponent(env[name] ?? ''),
  )
  const who = user === '' ? '' : `${user}${password === '' ? '' : `:${password}`}@`
  const port = read('PGPORT', whole(1, 65_535), 5432)
  const place = isIP(host) === 6 ? `[${host}]` : encodeURIComponent(host)
  return `postgres://${who}${place}:${port}/${database}`
}

/**
 * Reads the settings, or throws a ConfigError that lists every fault. `quiet` logs warnings only where
 * LOG_LEVEL says nothing.
 */
export function readConfig(env: Environment = process.env, { quiet = false } = {}): Config {
  const faults: string[] = []

  /** The setting, or its default when it is absent or empty. */
  function read<T, Default>(name: string, kind: Kind<T>, byDefault: Default): T | Default {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return byDefault
    const value = kind.read(text)
    if (value !== undefined) return value
    faults.push(`${name} must be ${kind.wanted}.`)
    return byDefault
  }

  const databaseSetting = ['DATABASE_URL', 'PGHOST'].find(name => env[name]?.trim()) ?? 'DATA_DIR'
  const dataDir = resolve(ownFolder, env.DATA_DIR?.trim() || './data')
  const noFolder = databaseSetting === 'DATA_DIR' ? folderFault(dataDir) : undefined
  if (noFolder !== undefined)
    faults.push(`DATA_DIR must be a folder that exists or can be made, and ${noFolder}.`)
  const roles = read('ROLES', oneOf(['api', 'worker', 'both']), 'both')
  const config: Config = {
    host: read('HOST', host, '0.0.0.0'),
    port: read('PORT', whole(0, 65_535), 8080),
    databaseUrl: read('DATABASE_URL', postgresUrl, undefined) ?? urlOfLibpq(env, read),
    databaseDirectUrl: read('DATABASE_DIRECT_URL', postgresUrl, undefined),
    databaseSetting: databaseSetting as Config['databaseSetting'],
    dataDir,
    baseUrl: read('BASE_URL', address, undefined),
    authUrl: read('AUTH_URL', address, undefined),
    logLevel: read('LOG_LEVEL', oneOf(logLevels), quiet ? 'warn' : 'info'),
    rateLimits: read('RATE_LIMITS', onOff, true),
    corsOrigins: read('CORS_ORIGINS', origins, []),
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', onOff, false),
    webhookPorts: read('WEBHOOK_PORTS', ports, defaultPorts),
    webhookRetrySeconds: read('WEBHOOK_RETRY_SECONDS', fiveDelays, [5, 30, 120, 600, 3600]),
    roles: { api: roles !== 'worker', worker: roles !== 'api' },
    poolSize: read('POOL_SIZE', whole(2, 200), 10),
    reportConnections: read('REPORT_CONNECTIONS', whole(1, 20), 2),
    encryptionKey: read('ENCRYPTION_KEY', key32, undefined),
    metricsPort: read('METRICS_PORT', whole(1, 65_535), undefined),
    metricsToken: read('METRICS_TOKEN', bearerToken, undefined),
    trustProxy: read('TRUST_PROXY', proxies, false),
    documentFonts: read('DOCUMENT_FONTS', folder(ownFolder), undefined),
    documentThreads: read('DOCUMENT_THREADS', whole(1, 16), 1),
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined)
    faults.push('DATABASE_DIRECT_URL needs DATABASE_URL beside it.')
  if (config.metricsPort === config.port) faults.push('METRICS_PORT must be another port than PORT.')
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}
