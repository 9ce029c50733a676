// Reads the settings from the environment into one frozen object. Nothing else reads process.env;
// .env.example describes every setting.

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
  key32,
  oneOf,
  onOff,
  origins,
  ports,
  postgresUrl,
  proxies,
  type SettingKind,
  wholeNumber,
} from './setting-kinds.ts'

export interface Config {
  /** the address to listen on; port 0 takes a free port */
  readonly host: string
  readonly port: number
  /** undefined if the embedded PostgreSQL in dataDir is used */
  readonly databaseUrl: string | undefined
  /** the same database without a transaction pooler, for what needs a session; databaseUrl if undefined */
  readonly databaseDirectUrl: string | undefined
  /** the setting that determines the database, for messages */
  readonly databaseSetting: 'DATABASE_URL' | 'PGHOST' | 'DATA_DIR'
  readonly dataDir: string
  /** the addresses that callers use; http://localhost:<port> if undefined */
  readonly baseUrl: string | undefined
  readonly authUrl: string | undefined
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** text on a terminal and JSON elsewhere if undefined */
  readonly logFormat: 'text' | 'json' | undefined
  readonly rateLimits: boolean
  /** origins whose pages may call the API from a browser; `*` allows all */
  readonly corsOrigins: readonly string[]
  readonly webhookAllowPrivate: boolean
  /** the allowed ports of webhook receivers and of files to download */
  readonly webhookPorts: Ports
  /**
   * seconds to wait after each failed attempt of a delivery; after the last attempt nothing waits, because
   * the subscription fails
   */
  readonly webhookRetrySeconds: readonly number[]
  readonly roles: { readonly api: boolean; readonly worker: boolean }
  /** the number of connections of each of the two main pools */
  readonly poolSize: number
  /** how many reports are made at a time, each over a connection of its own */
  readonly reportConnections: number
  /** the 32 bytes that encrypt secrets in the database; kept in dataDir if undefined */
  readonly encryptionKey: Buffer | undefined
  /** the port for metrics; `port` if undefined */
  readonly metricsPort: number | undefined
  /** the token required to read metrics; none if undefined */
  readonly metricsToken: string | undefined
  /**
   * whose X-Forwarded-For is trusted: nobody's, that of this many proxies in a row, or that of proxies in
   * these networks
   */
  readonly trustProxy: false | number | readonly string[]
  /** a folder with fonts for documents, in addition to those supplied */
  readonly documentFonts: string | undefined
  /** how many documents are made at a time */
  readonly documentProcesses: number
  /** how many MiB the print jobs of an organisation keep at most */
  readonly printStorageMiB: number
}

/** Thrown for wrong settings. It lists every fault, each with the name of its setting. */
export class ConfigError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(
      `Some settings are invalid:\n${faults.map(fault => `  - ${fault}`).join('\n')}\nEvery setting is ` +
        `described in .env.example.`,
    )
    this.faults = faults
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The names of all settings, in the order of .env.example. */
export const settingNames = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATA_DIR',
  'BASE_URL',
  'AUTH_URL',
  'LOG_LEVEL',
  'LOG_FORMAT',
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
  'DOCUMENT_PROCESSES',
  'PRINT_STORAGE_MIB',
] as const

const waybillFolder = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of .env and the base of relative paths in settings: the folder of Waybill itself, or the current
 * folder if npm installed Waybill as a package, because the next installation replaces node_modules.
 */
export const ownFolder = waybillFolder.includes('/node_modules/') ? process.cwd() : waybillFolder

type Environment = Record<string, string | undefined>

/**
 * Returns the URL of the database given by the variables of libpq, if PGHOST is set. The driver itself reads
 * those that are not in the URL (PGSSLMODE, or a missing password).
 */
function libpqUrl(
  env: Environment,
  read: <T, D>(name: string, kind: SettingKind<T>, defaultValue: D) => T | D,
) {
  const host = env.PGHOST?.trim()
  if (!host) return undefined
  const [user = '', password = '', database = ''] = ['PGUSER', 'PGPASSWORD', 'PGDATABASE'].map(name =>
    encodeURIComponent(env[name] ?? ''),
  )
  const credentials = user === '' ? '' : `${user}${password === '' ? '' : `:${password}`}@`
  const port = read('PGPORT', wholeNumber(1, 65_535), 5432)
  const urlHost = isIP(host) === 6 ? `[${host}]` : encodeURIComponent(host)
  return `postgres://${credentials}${urlHost}:${port}/${database}`
}

/**
 * Reads the settings. Throws a ConfigError that lists every fault. With `quiet`, the default log level is
 * `warn`.
 */
export function readConfig(env: Environment = process.env, { quiet = false } = {}): Config {
  const faults: string[] = []

  /** Reads a setting, or returns its default if it is absent or empty. */
  function read<T, Default>(name: string, kind: SettingKind<T>, defaultValue: Default): T | Default {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return defaultValue
    const value = kind.read(text)
    if (value !== undefined) return value
    faults.push(`${name} must be ${kind.expected}.`)
    return defaultValue
  }

  const databaseSetting = ['DATABASE_URL', 'PGHOST'].find(name => env[name]?.trim()) ?? 'DATA_DIR'
  const dataDir = resolve(ownFolder, env.DATA_DIR?.trim() || './data')
  const dataDirFault = databaseSetting === 'DATA_DIR' ? folderFault(dataDir) : undefined
  if (dataDirFault !== undefined)
    faults.push(`DATA_DIR must be a folder that exists or can be made, and ${dataDirFault}.`)
  const roles = read('ROLES', oneOf(['api', 'worker', 'both']), 'both')
  const config: Config = {
    host: read('HOST', host, '0.0.0.0'),
    port: read('PORT', wholeNumber(0, 65_535), 8080),
    databaseUrl: read('DATABASE_URL', postgresUrl, undefined) ?? libpqUrl(env, read),
    databaseDirectUrl: read('DATABASE_DIRECT_URL', postgresUrl, undefined),
    databaseSetting: databaseSetting as Config['databaseSetting'],
    dataDir,
    baseUrl: read('BASE_URL', address, undefined),
    authUrl: read('AUTH_URL', address, undefined),
    logLevel: read('LOG_LEVEL', oneOf(logLevels), quiet ? 'warn' : 'info'),
    logFormat: read('LOG_FORMAT', oneOf(['text', 'json']), undefined),
    rateLimits: read('RATE_LIMITS', onOff, true),
    corsOrigins: read('CORS_ORIGINS', origins, []),
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', onOff, false),
    webhookPorts: read('WEBHOOK_PORTS', ports, defaultPorts),
    webhookRetrySeconds: read('WEBHOOK_RETRY_SECONDS', fiveDelays, [5, 30, 120, 600, 3600]),
    roles: { api: roles !== 'worker', worker: roles !== 'api' },
    poolSize: read('POOL_SIZE', wholeNumber(2, 200), 10),
    reportConnections: read('REPORT_CONNECTIONS', wholeNumber(1, 20), 2),
    encryptionKey: read('ENCRYPTION_KEY', key32, undefined),
    metricsPort: read('METRICS_PORT', wholeNumber(1, 65_535), undefined),
    metricsToken: read('METRICS_TOKEN', bearerToken, undefined),
    trustProxy: read('TRUST_PROXY', proxies, false),
    documentFonts: read('DOCUMENT_FONTS', folder(ownFolder), undefined),
    documentProcesses: read('DOCUMENT_PROCESSES', wholeNumber(1, 16), 1),
    printStorageMiB: read('PRINT_STORAGE_MIB', wholeNumber(1, 1_048_576), 2_048),
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined)
    faults.push('DATABASE_DIRECT_URL needs DATABASE_URL beside it.')
  if (config.metricsPort === config.port) faults.push('METRICS_PORT must be another port than PORT.')
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}
