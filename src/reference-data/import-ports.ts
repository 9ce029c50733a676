// Imports ports from UNECE's UN/LOCODE code list, in addition to those that ship with the service. Spec 2.16,
// 4.15.

import { sql, type Tx } from '../platform/database/db.ts'
import { validationFailed } from '../platform/http/refusal.ts'
import { retryImportsWaitingForPorts } from '../waiting-imports/retry-waiting.ts'
import { shippingPortId } from './load-reference-data.ts'
import { readPlaces, type UnLocodePlace } from './un-locode.ts'

/** The result of an import, in numbers of places. The ports command prints it as JSON. */
export interface PortImportCounts {
  added: number
  /** ports whose name or country changed, and ports that were not imported before */
  changed: number
  unchanged: number
  /** places left out: those without a port, and repeated codes */
  left: number
}

const batchSize = 500

/**
 * Adds the ports in the files, or with `all` every place that has a code, and updates the names of known
 * ports. Ids stay the same and no port is removed. Later starts of the service keep what was imported. If a
 * code occurs more than once, its first place counts. Throws 400 with the file and the line of a fault, and
 * for a file without places.
 */
export async function importPorts(
  tx: Tx,
  files: readonly string[],
  { all }: { all: boolean },
): Promise<PortImportCounts> {
  // Another import, or the load at a start, must not run at the same time. The import waits for them without
  // a timeout, because the time they take depends on their files.
  await tx.run(sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`)
  await tx.run(sql`lock table reference_data in share row exclusive mode`)
  const counts: PortImportCounts = { added: 0, changed: 0, unchanged: 0, left: 0 }
  const seen = new Set<string>()
  for (const file of files) {
    let places = 0
    let batch: UnLocodePlace[] = []
    for await (const place of readPlaces(file)) {
      places++
      if ((all || place.isPort) && !seen.has(place.code)) {
        seen.add(place.code)
        batch.push(place)
      } else counts.left++
      if (batch.length < batchSize) continue
      await writePlaces(tx, batch, counts)
      batch = []
    }
    if (places === 0) throw validationFailed(`${file} has no place of the UN/LOCODE code list in it.`)
    await writePlaces(tx, batch, counts)
  }
  await retryImportsWaitingForPorts(tx)
  return counts
}

async function writePlaces(
  tx: Tx,
  places: readonly UnLocodePlace[],
  counts: PortImportCounts,
): Promise<void> {
  const rows = places.map(({ code, name, country, plainText }) => ({
    id: shippingPortId(code),
    code,
    name,
    country,
    plain_text: plainText,
  }))
  // Only a row that was just inserted has no xmax.
  const { added, changed } = await tx.row<{ added: number; changed: number }>(sql`
    with written as (
      insert into shipping_port as stored (id, code, name, country, plain_text, is_imported)
      select id, code, name, country, plain_text, true
      from json_to_recordset(${JSON.stringify(rows)})
        as r (id uuid, code text, name text, country text, plain_text text)
      on conflict on constraint shipping_port_code_key do update set
        name = excluded.name, country = excluded.country, plain_text = excluded.plain_text, is_imported = true
      where row(stored.name, stored.country, stored.plain_text, stored.is_imported)
        is distinct from row(excluded.name, excluded.country, excluded.plain_text, true)
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed
    from written`)
  counts.added += added
  counts.changed += changed
  counts.unchanged += places.length - added - changed
}
