// Imports UNECE's UN/LOCODE code list over the ports that ship with the service. Spec 2.16, 4.15.

import { retryImportsWaitingForPorts } from '../consignment-imports/waiting/retry-waiting.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { validationFailed } from '../platform/http/refusal.ts'
import { shippingPortId } from './load-reference-data.ts'
import { type Place, readPlaces } from './un-locode.ts'

/** How many ports an import added, changed and so on. */
export interface ImportedPorts {
  added: number
  /** with another name or country, or not imported before */
  changed: number
  unchanged: number
  /** places without a port, and codes that a file repeats */
  left: number
}

const batchSize = 500

/**
 * Adds the ports of the files, or with `all` every place with a code, and gives known ports the names of the
 * files; their ids stay, and none is removed. A later start keeps what was imported. The first place under a
 * code counts. Throws 400 with the file and the line at fault, and for a file without places.
 */
export async function importPorts(
  tx: Tx,
  files: readonly string[],
  { all }: { all: boolean },
): Promise<ImportedPorts> {
  // Neither another import nor the load at a start may run at the same time. It waits for them without a
  // limit: how long an import takes depends on its files.
  await tx.run(sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`)
  await tx.run(sql`lock table reference_data in share row exclusive mode`)
  const counts: ImportedPorts = { added: 0, changed: 0, unchanged: 0, left: 0 }
  const seen = new Set<string>()
  for (const file of files) {
    let places = 0
    let batch: Place[] = []
    for await (const place of readPlaces(file)) {
      places++
      if ((all || place.isPort) && !seen.has(place.code)) {
        seen.add(place.code)
        batch.push(place)
      } else counts.left++
      if (batch.length < batchSize) continue
      await write(tx, batch, counts)
      batch = []
    }
    if (places === 0) throw validationFailed(`${file} has no place of the UN/LOCODE code list in it.`)
    await write(tx, batch, counts)
  }
  await retryImportsWaitingForPorts(tx)
  return counts
}

async function write(tx: Tx, places: readonly Place[], counts: ImportedPorts): Promise<void> {
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
      insert into shipping_port as kept (id, code, name, country, plain_text, is_imported)
      select id, code, name, country, plain_text, true
      from json_to_recordset(${JSON.stringify(rows)})
        as r (id uuid, code text, name text, country text, plain_text text)
      on conflict on constraint shipping_port_code_key do update set
        name = excluded.name, country = excluded.country, plain_text = excluded.plain_text, is_imported = true
      where row(kept.name, kept.country, kept.plain_text, kept.is_imported)
        is distinct from row(excluded.name, excluded.country, excluded.plain_text, true)
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed
    from written`)
  counts.added += added
  counts.changed += changed
  counts.unchanged += places.length - added - changed
}
