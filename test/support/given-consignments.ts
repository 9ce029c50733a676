// Writes many consignments at once as rows, and computes in a simple way what their list must return.

import { v7 as uuidv7 } from 'uuid'
import type { ConsignmentFilters } from '../../src/consignments/list/filters.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import type { Caller } from './harness.ts'

/** The fields of a consignment that lists use. */
export interface ListedConsignment {
  type: 0 | 1 | 2
  status: number
  client: number
  carrier: number | null
  warehouse: number | null
  day: number
  text: string
}

interface StoredConsignment {
  consignmentNumber: string
  number: number
  referenceNumber: string | null
  containerNumber: string | null
  externalId: string | null
  /** of the client */
  name: string
  clientId: string
  carrierId: string | null
  warehouseId: string | null
  type: number
  status: number
  dateEntered: string
  ediStatus: number | null
}

/** An organisation's partners and warehouses, and helpers that write its consignments. */
export async function openConsignments(database: Database, caller: Caller) {
  const { organisationId, connectionId } = caller.actor
  const made = async (path: string, body: object) =>
    Object.values((await caller.post(path, body)).body)[0] as string
  const clients = [
    await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 }),
    await made('/v1/partners', { name: 'Rimu 100% Foods', code: 'RIMU', relationship: 1 }),
    await made('/v1/partners', { name: 'Totara', code: 'TOTARA', relationship: 1 }),
  ]
  const carriers = [
    await made('/v1/partners', { name: 'Swift', code: 'SWF', relationship: 2 }),
    await made('/v1/partners', { name: 'Fast', code: 'FST', relationship: 2 }),
  ]
  const warehouses = [
    await made('/v1/warehouses', { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' }),
    await made('/v1/warehouses', { name: 'Sydney', code: 'SYD', timezoneId: 'Australia/Sydney' }),
  ]
  let last = 0

  /** Inserts consignments in one statement and returns their ids. */
  async function add(given: ListedConsignment[]): Promise<string[]> {
    const rows = given.map(({ type, status, client, carrier, warehouse, day, text }) => ({
      id: uuidv7(),
      number: ++last,
      type,
      status,
      client_id: clients[client],
      carrier_id: carrier === null ? null : carriers[carrier],
      warehouse_id:
        warehouse === null && type !== 0 ? warehouses[0] : warehouse === null ? null : warehouses[warehouse],
      date_entered: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 19),
      reference_number: text,
      external_id: text === '' ? null : text,
    }))
    await database.atomically(tx =>
      tx.run(sql`
        insert into consignment (organisation_id, id, number, consignment_number, type, status, client_id,
          carrier_id, warehouse_id, date_entered,
          reference_number, external_id)
        select ${organisationId}, id, number, 'TST-' || lpad(number::text, 6, '0') || '-X', type, status,
          client_id, carrier_id, warehouse_id, date_entered,
          reference_number, external_id
        from jsonb_populate_recordset(null::consignment, ${JSON.stringify(rows)})`),
    )
    return rows.map(row => row.id)
  }

  /** Changes some columns of a consignment. */
  const change = (id: string, { status, carrier, client }: Partial<ListedConsignment>) =>
    database.atomically(tx =>
      tx.run(sql`update consignment set status = coalesce(${status ?? null}, status),
          client_id = coalesce(${client === undefined ? null : clients[client]}, client_id),
          carrier_id = case when ${carrier === undefined} then carrier_id else
            ${carrier == null ? null : carriers[carrier]}::uuid end
        where organisation_id = ${organisationId} and id = ${id}`),
    )

  /** Sets or unsets the caller's ediStatus. */
  const mark = (id: string, ediStatus: number | null) =>
    database.atomically(tx =>
      tx.run(sql`insert into consignment_edi (organisation_id, consignment_id, identity_connection_id,
        edi_status)
        select organisation_id, id, ${connectionId}::uuid, ${ediStatus}::int from consignment
          where organisation_id = ${organisationId} and id = ${id}
        on conflict on constraint consignment_edi_pkey do update set edi_status = excluded.edi_status`),
    )

  /** Deletes a consignment, which only maintenance of the schema can do. */
  const remove = (id: string) =>
    database.atomically(async tx => {
      await tx.run(
        sql`delete from consignment_edi where organisation_id = ${organisationId} and consignment_id = ${id}`,
      )
      await tx.run(sql`delete from consignment where organisation_id = ${organisationId} and id = ${id}`)
    })

  /** The numbers of the consignments that match the filters, in the order of lists. */
  async function expected(filters: ConsignmentFilters): Promise<string[]> {
    const rows = await database.db.rows<StoredConsignment>(sql`
      select c.*, p.name, e.edi_status from consignment c
      join partner p on p.organisation_id = c.organisation_id and p.id = c.client_id
      left join consignment_edi e on e.organisation_id = c.organisation_id and e.consignment_id = c.id
        and e.identity_connection_id = ${connectionId}
      where c.organisation_id = ${organisationId}`)
    const found = rows.filter(row => {
      for (const field of ['clientId', 'carrierId', 'warehouseId', 'type', 'externalId'] as const) {
        const wanted = [filters[field]].flat()
        if (filters[field] !== undefined && !wanted.includes(row[field] as never)) return false
      }
      const day = row.dateEntered.slice(0, 10)
      const text = filters.searchText?.toLowerCase()
      const texts = [row.consignmentNumber, row.referenceNumber, row.containerNumber, row.name]
      return (
        (filters.status === undefined ||
          [filters.status]
            .flat()
            .some(status =>
              status === -1 ? row.status !== 6 && row.status !== -2 : row.status === status,
            )) &&
        (filters.ediStatus === undefined || filters.ediStatus.includes(row.ediStatus)) &&
        (filters.dateFrom === undefined || day >= filters.dateFrom) &&
        (filters.dateTo === undefined || day <= filters.dateTo) &&
        (filters.consignmentNumbers === undefined ||
          filters.consignmentNumbers.includes(row.consignmentNumber)) &&
        (text === undefined || texts.some(value => value?.toLowerCase().includes(text)))
      )
    })
    const key = (row: StoredConsignment) => `${row.dateEntered} ${String(row.number).padStart(9, '0')}`
    return found.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).map(row => row.consignmentNumber)
  }

  /** Reads every page of the list. Returns the numbers, and the total of each page. */
  async function readAllPages(
    filters: ConsignmentFilters,
    pageSize: number,
    order = 'entered',
  ): Promise<{ numbers: string[]; totals: Set<number> }> {
    const query = queryOf(filters)
    query.set('PageSize', String(pageSize))
    query.set('Sort', order)
    const numbers: string[] = []
    const totals = new Set<number>()
    for (let index = 1; ; index++) {
      query.set('PageIndex', String(index))
      const { status, body } = await caller.get(`/v1/consignments?${query}`)
      if (status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`)
      totals.add(body.total)
      numbers.push(
        ...body.consignments.map(
          (consignment: { consignmentNumber: string }) => consignment.consignmentNumber,
        ),
      )
      if (body.consignments.length < pageSize) return { numbers, totals }
    }
  }

  /** What the API counts by a field: the total, and each value with its number. */
  async function count(by: string, filters: ConsignmentFilters) {
    const { status, body } = await caller.get(`/v1/consignments/counts?By=${by}&${queryOf(filters)}`)
    if (status !== 200) throw new Error(`${by}: ${JSON.stringify(body)}`)
    const counts = body.counts.map(({ value, n }: { value: unknown; n: number }) => `${value} ${n}`)
    return { total: body.total as number, counts: counts as string[] }
  }

  /** The same of the consignments with these numbers. */
  async function expectedCounts(by: string, numbers: string[]): Promise<string[]> {
    const rows = await database.db.rows<StoredConsignment>(sql`
      select * from consignment
      where organisation_id = ${organisationId} and consignment_number = any(${numbers})`)
    const field = `${by[0]?.toLowerCase()}${by.slice(1)}` as keyof StoredConsignment
    const groups = Map.groupBy(rows, row => row[field])
    return [...groups].map(([value, { length }]) => `${value} ${length}`).toSorted()
  }

  return {
    ...{ clients, carriers, warehouses, add, change, mark, remove },
    ...{ expected, readAllPages, count, expectedCounts },
  }
}

/** The filters as the parameters of a query. */
function queryOf(filters: ConsignmentFilters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    const parameter = `${name[0]?.toUpperCase()}${name.slice(1)}`
    if (value !== undefined) for (const item of [value].flat()) query.append(parameter, String(item))
  }
  return query
}
