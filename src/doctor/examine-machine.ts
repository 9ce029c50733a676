// Examines what is on this machine: the data folder and its disk, the ports, the addresses.

import { lookup } from 'node:dns/promises'
import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../process/config.ts'
import { findPorts } from '../process/listening.ts'
import { type Finding, fault, found, ok, warning } from './finding.ts'

const MiB = 2 ** 20
const littleMiB = 2_048
const tooLittleMiB = 200

/** The folder of the embedded database and of the key. Makes nothing. */
export const examineDataDir = ({ dataDir, databaseUrl }: Config): Promise<Finding> =>
  found('data folder', async () => {
    const about = 'data folder'
    const place = await nearest(dataDir)
    if (place !== dataDir)
      return ok(about, `${dataDir} is not there yet and is made when it is needed, in ${place}.`)
    const key = await stat(join(dataDir, 'encryption.key')).catch(() => undefined)
    if (key !== undefined && (key.mode & 0o077) !== 0)
      return warning(about, `Others may read the key ${join(dataDir, 'encryption.key')}: chmod 600 it.`)
    return ok(
      about,
      `${dataDir} holds ${databaseUrl === undefined ? 'the database and the key' : 'the key'}.`,
    )
  })

/** The room on the disk of the embedded database; nothing is known of that of one's own. */
export const examineDisk = ({ dataDir, databaseUrl }: Config): Promise<Finding> =>
  found('disk', async () => {
    if (databaseUrl !== undefined) return ok('disk', 'That of the database is not seen from here.')
    const { bavail, bsize } = await statfs(await nearest(dataDir))
    const freeMiB = Math.floor((bavail * bsize) / MiB)
    const says = `${freeMiB} MiB are free for the database in ${dataDir}.`
    if (freeMiB < tooLittleMiB) return fault('disk', `Only ${says} Make room.`)
    return freeMiB < littleMiB ? warning('disk', `Only ${says}`) : ok('disk', says)
  })

/** The folder itself, or the first one above it that exists. */
async function nearest(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    error => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
  return isThere ? folder : nearest(dirname(folder))
}

/** Whether the ports are free, or the service itself has them. */
export const examinePorts = (config: Config, isServiceRunning: boolean): Promise<Finding> =>
  found('ports', async () => {
    const { host, port, metricsPort } = config
    const all = [port, ...(metricsPort === undefined ? [] : [metricsPort])].join(' and ')
    if (isServiceRunning)
      return ok('ports', `A service runs on this database; ports ${all} of ${host} may be its.`)
    await findPorts(config)
    return ok('ports', port === 0 ? 'Any that is free is taken.' : `${all} of ${host} can be listened on.`)
  })

/** The addresses that callers use. */
export const examineAddresses = ({ baseUrl, authUrl, port, trustProxy }: Config): Promise<Finding> =>
  found('addresses', async () => {
    const about = 'addresses'
    if (baseUrl === undefined)
      return ok(about, `BASE_URL is not set: callers on this machine use http://localhost:${port}.`)
    for (const address of [baseUrl, authUrl ?? baseUrl]) {
      const { hostname } = new URL(address)
      const isKnown = await lookup(hostname.replace(/^\[|\]$/g, '')).then(
        () => true,
        () => false,
      )
      if (!isKnown) return warning(about, `${hostname} (${address}) is not known from this machine.`)
    }
    const { protocol, hostname } = new URL(baseUrl)
    if (protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname))
      return warning(about, `${baseUrl} has no encryption: passwords and tokens can be read on the way.`)
    if (protocol === 'https:' && trustProxy === false)
      return warning(
        about,
        `${baseUrl} is served by a proxy, and TRUST_PROXY is off: every caller seems to have the proxy's ` +
          'address.',
      )
    return ok(about, `Callers use ${baseUrl}.`)
  })
