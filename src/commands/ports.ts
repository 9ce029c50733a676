// `./waybill ports`: shipping ports by UN/LOCODE.

import type { Command } from 'commander'
import { administer } from './administer.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

/** Adds `ports import`. */
export function addPorts(program: Command): void {
  const ports = program.command('ports').description('shipping ports by UN/LOCODE')
  ports
    .command('import')
    .description(
      "import UNECE's UN/LOCODE code list (its CSV files): adds ports and brings their names up to date, " +
        'all files or none',
    )
    .argument('<files...>', 'files such as "2024-2 UNLOCODE CodeListPart1.csv"')
    .option('--all', 'every place with a code, not only those with a sea or river port')
    .option(...jsonOption)
    .action(async (files: string[], { all, json }: JsonOption & { all?: boolean }) => {
      const { importPorts } = await import('../reference-data/import-ports.ts')
      const counts = await administer(tx => importPorts(tx, files, { all: all ?? false }))
      const { added, changed, unchanged, left } = counts
      print(
        json,
        counts,
        `${added} ports added, ${changed} changed, ${unchanged} as they were; ${left} places left out.`,
      )
    })
}
