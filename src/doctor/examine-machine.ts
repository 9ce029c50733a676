// Examines this machine: the data folder and its disk, the ports, and the addresses.

import { lookup } from 'node:dns/promises'
import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../process/config.ts'
import { findPorts } from '../process/listening.ts'
import { type DoctorFinding, faultFinding, findingOf, okFinding, warningFinding } from './finding.ts'

const MiB = 2 ** 20
const warningMiB = 2_048
const faultMiB = 200

/** Examines the folder of the embedded database and of the key. Creates nothing. */
export const examineDataDir = ({ dataDir, databaseUrl }: Config): Promise<DoctorFinding> =>
  findingOf('data folder', async () => {
    const about = 'data folder'
    const existing = await nearestExisting(dataDir)
    if (existing !== dataDir)
      return okFinding(about, `${dataDir} is not there yet and is made when it is needed, in ${existing}.`)
    const key = await stat(join(dataDir, 'encryption.key')).catch(() => undefined)
    if (key !== undefined && (key.mode & 0o077) !== 0)
      return warningFinding(
        about,
        `Others may read the key ${join(dataDir, 'encryption.key')}: chmod 600 it.`,
      )
    return okFinding(
      about,
      `${dataDir} holds ${databaseUrl === undefined ? 'the database and the key' : 'the key'}.`,
    )
  })

/** Examines the free space on the disk of the embedded database. The disk of another database is unknown. */
export const examineDisk = ({ dataDir, databaseUrl }: Config): Promise<DoctorFinding> =>
  findingOf('disk', async () => {
    if (databaseUrl !== undefined)
      return okFinding('disk', 'The disk of the database cannot be examined from here.')
    const { bavail, bsize } = await statfs(await nearestExisting(dataDir))
    const freeMiB = Math.floor((bavail * bsize) / MiB)
    const says = `${freeMiB} MiB are free for the database in ${dataDir}.`
    if (freeMiB < faultMiB) return faultFinding('disk', `Only ${says} Make room.`)
    return freeMiB < warningMiB ? warningFinding('disk', `Only ${says}`) : okFinding('disk', says)
  })

/** Returns the folder itself, or the nearest parent that exists. */
async function nearestExisting(folder: string): Promise<string> {
  const doesExist = await stat(folder).then(
    () => true,
    error => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
  return doesExist ? folder : nearestExisting(dirname(folder))
}

/** Examines whether the ports are free, unless a running service may be using them. */
export const examinePorts = (config: Config, isServiceRunning: boolean): Promise<DoctorFinding> =>
  findingOf('ports', async () => {
    const { host, port, metricsPort } = config
    const all = [port, ...(metricsPort === undefined ? [] : [metricsPort])].join(' and ')
    if (isServiceRunning)
      return okFinding('ports', `A service runs on this database; ports ${all} of ${host} may be its.`)
    await findPorts(config)
    return okFinding(
      'ports',
      port === 0 ? 'Any that is free is taken.' : `${all} of ${host} can be listened on.`,
    )
  })

/** Examines the addresses that callers use. */
export const examineAddresses = ({ baseUrl, authUrl, port, trustProxy }: Config): Promise<DoctorFinding> =>
  findingOf('addresses', async () => {
    const about = 'addresses'
    if (baseUrl === undefined)
      return okFinding(about, `BASE_URL is not set: callers on this machine use http://localhost:${port}.`)
    for (const address of [baseUrl, authUrl ?? baseUrl]) {
      const { hostname } = new URL(address)
      const isKnown = await lookup(hostname.replace(/^\[|\]$/g, '')).then(
        () => true,
        () => false,
      )
      if (!isKnown)
        return warningFinding(about, `${hostname} (${address}) cannot be resolved from this machine.`)
    }
    const { protocol, hostname } = new URL(baseUrl)
    if (protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname))
      return warningFinding(
        about,
        `${baseUrl} has no encryption: passwords and tokens can be read in transit.`,
      )
    if (protocol === 'https:' && trustProxy === false)
      return warningFinding(
        about,
        `${baseUrl} is served by a proxy, and TRUST_PROXY is off: every caller seems to have the proxy's ` +
          'address.',
      )
    return okFinding(about, `Callers use ${baseUrl}.`)
  })
