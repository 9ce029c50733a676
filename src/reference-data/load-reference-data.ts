// The reference data that ships with the service: shipping ports, hazard classes and their categories. Spec
// 2.16; decision 8.
//
// Ports come from the npm package sea-ports (https://github.com/marchah/sea-ports, MIT licence): the world's
// sea ports by UN/LOCODE. Hazard classes and categories are dg-hazard-data.ts.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { v5 as uuidv5 } from 'uuid'
import { hazardClasses } from './dg-hazard-data.ts'
import { plainForms } from './plain-text.ts'
import { otherPortNames } from './port-names.ts'

// Ids are derived from codes in this namespace, so that they are the same in every installation and after
// every load.
const namespace = 'b0a1f4a6-6d2c-5a1e-9c53-7f0d3c2e8b14'

/** The id of a shipping port, derived from its UN/LOCODE. */
export const shippingPortId = (code: string): string => uuidv5(`shipping-port:${code}`, namespace)
/** The id of a hazard class, derived from its standard and code. */
export const hazardClassId = (dgStandard: number, code: string): string =>
  uuidv5(`dg-hazard-class:${dgStandard}:${code}`, namespace)
/** The id of a hazard category, derived from the id of its class and its code. */
export const hazardCategoryId = (dgHazardClassId: string, code: string): string =>
  uuidv5(`dg-hazard-category:${dgHazardClassId}:${code}`, namespace)

export interface ShippingPortRow {
  id: string
  code: string
  name: string
  country: string
  plain_text: string
}

/** A port as the npm package has it. */
interface SeaPort {
  name: string
  country: string
  unlocs: string[]
}

const codePattern = /^[A-Z]{2}[A-Z0-9]{3}$/

/**
 * One row for each code of the package's ports. A port with several codes becomes several rows. Codes that
 * are not a UN/LOCODE are left out.
 */
export function portRows(ports: Readonly<Record<string, SeaPort>>): ShippingPortRow[] {
  const rows = new Map<string, ShippingPortRow>()
  for (const [key, { name, country, unlocs }] of Object.entries(ports)) {
    // If several entries list a code, the entry whose key it is has the best name for it.
    for (const code of [key, ...unlocs].map(text => text.trim().toUpperCase())) {
      if (!codePattern.test(code) || (rows.has(code) && code !== key)) continue
      const [trimmedName, correctedCountry] = [name.trim(), countryOf(code, country.trim())]
      rows.set(code, {
        id: shippingPortId(code),
        code,
        name: trimmedName,
        country: correctedCountry,
        plain_text: plainForms(trimmedName, correctedCountry, otherPortNames[code]),
      })
    }
  }
  return [...rows.values()]
}

// The package lists one port of the Netherlands Antilles under the Netherlands.
const countryOf = (code: string, country: string) =>
  code.startsWith('AN') ? 'Netherlands Antilles' : country

function hazardRows() {
  const classes = Object.entries(hazardClasses).flatMap(([standard, ofStandard]) =>
    ofStandard.map((hazardClass, ordinal) => ({
      ...hazardClass,
      id: hazardClassId(Number(standard), hazardClass.code),
      dg_standard: Number(standard),
      ordinal,
    })),
  )
  const categories = classes.flatMap(({ id, categories: ofClass }) =>
    ofClass.map(([code, name], ordinal) => ({
      id: hazardCategoryId(id, code),
      dg_hazard_class_id: id,
      code,
      name,
      ordinal,
    })),
  )
  return { classes: classes.map(({ categories: _, ...row }) => row), categories }
}

const portsFile = new URL(import.meta.resolve('sea-ports/lib/ports.json'))
const sources = [
  portsFile,
  ...['dg-hazard-data.ts', 'plain-text.ts', 'port-names.ts', import.meta.url].map(
    file => new URL(file, import.meta.url),
  ),
]

/**
 * Brings the reference data of a migrated database up to date if its sources have changed since the last
 * load. Returns whether they had. Rows are added and changed but never removed, because records refer to
 * them.
 */
export async function loadReferenceData(client: pg.Client): Promise<boolean> {
  const contents = await Promise.all(sources.map(source => readFile(fileURLToPath(source))))
  const fingerprint = contents
    .reduce((hash, content) => hash.update(content), createHash('sha256'))
    .digest('hex')
  const isCurrent = async () => {
    const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from reference_data')
    return rows[0]?.fingerprint === fingerprint
  }
  if (await isCurrent()) return false
  await client.query('begin')
  try {
    // If two processes start at the same time, only the first loads.
    await client.query('lock table reference_data in share row exclusive mode')
    const isLoaded = await isCurrent()
    if (!isLoaded) await load(client, JSON.parse(String(contents[0])), fingerprint)
    await client.query('commit')
    return !isLoaded
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function load(client: pg.Client, ports: Record<string, SeaPort>, fingerprint: string): Promise<void> {
  const { classes, categories } = hazardRows()
  await upsert(
    client,
    'shipping_port',
    ['name', 'country', 'plain_text'],
    portRows(ports),
    'not stored.is_imported',
  )
  await upsert(client, 'dg_hazard_class', ['name', 'ordinal'], classes)
  await upsert(client, 'dg_hazard_category', ['name', 'ordinal'], categories)
  await client.query(
    `insert into reference_data (fingerprint) values ($1) on conflict (singleton) do update set ` +
      `fingerprint = excluded.fingerprint`,
    [fingerprint],
  )
}

/** Inserts rows. Updates the columns `changing` of rows whose id exists and that meet `condition`. */
async function upsert(
  client: pg.Client,
  table: string,
  changing: string[],
  rows: readonly object[],
  condition = 'true',
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  const [before, after] = [
    changing.map(column => `stored.${column}`),
    changing.map(column => `excluded.${column}`),
  ]
  await client.query(
    `insert into ${table} as stored (${columns})
     select ${columns} from jsonb_populate_recordset(null::${table}, $1)
     on conflict (id) do update set (${changing.join(', ')}) = row(${after.join(', ')})
     where row(${before.join(', ')}) is distinct from row(${after.join(', ')}) and ${condition}`,
    [JSON.stringify(rows)],
  )
}
