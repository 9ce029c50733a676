// `./waybill doctor`: examines the installation and reports what is wrong, without changing anything.

import process from 'node:process'
import type { Command } from 'commander'
import { type DoctorFinding, faultFinding, okFinding } from '../doctor/finding.ts'
import { type Config, ConfigError, readConfig } from '../process/config.ts'
import { quiet } from './administer.ts'
import { type JsonOption, jsonOption, print, printTable } from './print.ts'

/** Adds `doctor`. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'examine settings, database, rights, key, issuer, replicas, clock, ports, addresses and disk, ' +
        'whether the service is running or not, and change nothing; exits with 1 if anything is wrong',
    )
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const findings = await examine()
      const isWell = findings.every(({ state }) => state !== 'fault')
      const rows = findings.map(({ state, about, says }) => [state.toUpperCase(), about, says])
      print(json, { isWell, findings }, printTable(['STATE', 'ABOUT', 'WHAT WAS FOUND'], rows))
      if (!isWell) process.exitCode = 1
    })
}

async function examine(): Promise<DoctorFinding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map(says => faultFinding('settings', says))
  }
  const machine = await import('../doctor/examine-machine.ts')
  const database = await examineDatabase(config)
  return [
    okFinding('settings', `All can be read. Node.js ${process.version}.`),
    ...database.findings,
    await machine.examinePorts(config, database.isServiceRunning),
    await machine.examineAddresses(config),
    await machine.examineDataDir(config),
    await machine.examineDisk(config),
  ]
}

/** Examines the database. Starts the embedded one for this if it is stopped, but never creates one. */
async function examineDatabase(config: Config) {
  const { hasDatabase } = await import('../platform/embedded-postgres/home.ts')
  const { examineDatabase } = await import('../doctor/examine-database.ts')
  const { reachDatabase } = await import('../process/store.ts')
  if (config.databaseUrl === undefined && !(await hasDatabase(config.dataDir))) {
    const says = `There is none yet; the first start makes one in ${config.dataDir}.`
    return { findings: [okFinding('database', says)], isServiceRunning: false }
  }
  try {
    const reached = await reachDatabase(config, quiet)
    return await examineDatabase(reached, config).finally(() => reached.stop())
  } catch (error) {
    return { findings: [faultFinding('database', (error as Error).message)], isServiceRunning: false }
  }
}
