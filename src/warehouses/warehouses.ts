// Endpoints of warehouses. The time zone of a warehouse applies to the consignments of its goods. Spec 2.13,
// 4.13; decision 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { describeStockOnHand } from '../partners/stock-on-hand.ts'
import { type Db, empty, raw, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { duplicate, notFound, verificationFailed } from '../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  allOptional,
  Code,
  IntegerEnum,
  Name,
  named,
  nullable,
  type Static,
  TimeZone,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { refuseCodeOfInactive } from '../platform/unique-code.ts'
import { AddressType, WarehouseStatus } from '../vocabulary/warehouses.ts'
import { retryWaitingImports } from '../waiting-imports/retry-waiting.ts'
import { Address, addressFieldNames, addressFields, toStoredAddress } from './address.ts'
import { WarehouseAddress } from './warehouse.ts'

export const Warehouse = named(
  'Warehouse',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    code: Type.String(),
    status: IntegerEnum(WarehouseStatus),
    addressId: Uuid,
    ...allNullable({ latitude: addressFields.latitude, longitude: addressFields.longitude }),
    timezoneId: Type.String(),
  }),
)

const contactFields = { mainPhone: Name, contactPerson: Name, contactPhone: Name }
// The locations for goods that come in and go out, unless their consignment has its own. If they are not set,
// they are created when first needed.
const defaultLocations = { defaultReceiveLocationId: Uuid, defaultDispatchLocationId: Uuid }
const defaultLocationNames = Object.keys(defaultLocations) as (keyof typeof defaultLocations)[]
const Account = Type.Object({ id: Uuid, name: Type.String(), code: Type.String() })

/** A warehouse with its contacts, address and accounts. */
const WarehouseDetail = named(
  'WarehouseDetail',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    code: Type.String(),
    status: IntegerEnum(WarehouseStatus),
    timezoneId: Type.String(),
    ...allNullable(contactFields),
    address: WarehouseAddress,
    costCentre: nullable(Account),
    revenueAccount: nullable(Account),
    ...allNullable(defaultLocations),
  }),
)

const requiredFields = { name: Name, code: Code, timezoneId: TimeZone, status: IntegerEnum(WarehouseStatus) }
const optionalFields = { ...contactFields, costCentreId: Uuid, revenueAccountId: Uuid }
const columns = { ...requiredFields, ...optionalFields }
const columnNames = Object.keys(columns) as (keyof typeof columns)[]

const NewWarehouse = named(
  'NewWarehouse',
  Type.Object({
    ...allOptional({ ...columns, address: Address }),
    name: columns.name,
    code: columns.code,
    timezoneId: columns.timezoneId,
  }),
)
const WarehouseChange = named(
  'WarehouseChange',
  Type.Object({
    ...allOmittable(requiredFields),
    ...allClearable({
      ...optionalFields,
      ...defaultLocations,
      address: Address,
    }),
  }),
)

const uniqueKeyRefusals = (code: string | null | undefined) => ({
  warehouse_code_key: () => duplicate('code', `A warehouse with the code ${code} already exists.`),
})

const locationNotFound = (field: string) =>
  verificationFailed(faultAt(field, 'does not refer to a location of the warehouse', 'unknown_reference'))
const foreignKeyRefusals = {
  warehouse_receive_location_fkey: () => locationNotFound('defaultReceiveLocationId'),
  warehouse_dispatch_location_fkey: () => locationNotFound('defaultDispatchLocationId'),
}

/** Refuses (409) a code that an inactive warehouse has. */
const refuseCodeOfInactiveWarehouse = (tx: Tx, actor: Actor, code: string | undefined, ownId?: string) =>
  refuseCodeOfInactive(tx, {
    table: 'warehouse',
    column: 'code',
    value: code,
    scope: sql`organisation_id = ${actor.organisationId}`,
    ...(ownId === undefined ? {} : { ownId }),
    inactiveStatus: WarehouseStatus.Inactive,
    activeStatus: WarehouseStatus.Active,
    takenMessage: `A warehouse with the code ${code} already exists`,
    path: `/v1/warehouses`,
  })

const address = sql`jsonb_build_object('id', w.address_id, 'type', ${AddressType.Warehouse}::int, ${raw(
  addressFieldNames.map(field => `'${field}', w.address -> '${field}'`).join(', '),
)})`

/** An account as JSON; null if the alias joined nothing. */
const account = (alias: string): Sql => {
  const a = raw(alias)
  return sql`case when ${a}.id is not null
    then jsonb_build_object('id', ${a}.id, 'name', ${a}.name, 'code', ${a}.code) end`
}

/** Refuses (400, Verification Failed) accounts that the organisation does not have, each by its field. */
async function verifyAccounts(
  db: Db,
  actor: Actor,
  { costCentreId, revenueAccountId }: { costCentreId?: string | null; revenueAccountId?: string | null },
): Promise<void> {
  if (!costCentreId && !revenueAccountId) return
  const exists = await db.row<{ costCentre: boolean; revenueAccount: boolean }>(sql`
    select
      exists (
        select from cost_centre where organisation_id = ${actor.organisationId} and id = ${costCentreId}
      ) as cost_centre,
      exists (
        select from revenue_account
        where organisation_id = ${actor.organisationId} and id = ${revenueAccountId}
      ) as revenue_account`)
  const faults = [
    ...(costCentreId && !exists.costCentre
      ? [faultAt('costCentreId', 'does not refer to a cost centre', 'unknown_reference')]
      : []),
    ...(revenueAccountId && !exists.revenueAccount
      ? [faultAt('revenueAccountId', 'does not refer to a revenue account', 'unknown_reference')]
      : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
}

/**
 * Refuses (400) another time zone once anything happened in a warehouse: its stored local times would become
 * other instants. The caller has locked the row, so that nothing can refer to the warehouse meanwhile.
 */
async function refuseOtherTimeZone(tx: Tx, actor: Actor, warehouseId: string): Promise<void> {
  const place = sql`organisation_id = ${actor.organisationId} and warehouse_id = ${warehouseId}`
  const { isUsed } = await tx.row<{ isUsed: boolean }>(sql`
    select exists (select from consignment where ${place})
      or exists (select from warehouse_product where ${place})
      or exists (select from job where ${place})
      or exists (select from stock_count where ${place}) as is_used`)
  if (isUsed)
    throw verificationFailed(
      faultAt(
        'timezoneId',
        'cannot change, because the warehouse has consignments, stock or jobs whose local times it gives',
        'state',
      ),
    )
}

export const warehouses = [
  endpoint({
    get: '/v1/warehouses',
    name: 'listWarehouses',
    partners: 'all',
    scope: 'warehouse.read',
    summary: 'List warehouses',
    query: pageQuery({ SearchText: searchIn('name'), Status: Type.Optional(IntegerEnum(WarehouseStatus)) }),
    response: json(pageOf('warehouses', Warehouse)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'warehouses', query, {
        columns: sql`w.id, w.name, w.code, w.status, w.timezone_id, w.address_id,
          (w.address -> 'latitude')::numeric as latitude, (w.address -> 'longitude')::numeric as longitude`,
        from: sql`warehouse w where w.organisation_id = ${actor.organisationId}
          ${query.SearchText ? sql`and lower(w.name) like containing(${query.SearchText})` : empty}
          ${query.Status === undefined ? empty : sql`and w.status = ${query.Status}`}`,
        order: sql`w.name, w.id`,
      }),
  }),
  endpoint({
    get: '/v1/warehouses/:warehouseId',
    name: 'getWarehouse',
    partners: 'all',
    scope: 'warehouse.read',
    summary: 'Read a warehouse',
    response: json(WarehouseDetail),
    async handle({ db, actor, params }) {
      const warehouse = await db.maybe<Static<typeof WarehouseDetail>>(sql`
        select w.id, w.name, w.code, w.status, w.timezone_id, w.main_phone, w.contact_person, w.contact_phone,
          w.default_receive_location_id, w.default_dispatch_location_id,
          ${address} as address, ${account('c')} as cost_centre, ${account('r')} as revenue_account
        from warehouse w
        left join cost_centre c on c.organisation_id = w.organisation_id and c.id = w.cost_centre_id
        left join revenue_account r on r.organisation_id = w.organisation_id and r.id = w.revenue_account_id
        where w.organisation_id = ${actor.organisationId} and w.id = ${params.warehouseId}`)
      if (warehouse === undefined) throw notFound('Warehouse')
      return warehouse
    },
  }),
  endpoint({
    post: '/v1/warehouses',
    name: 'createWarehouse',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Create a warehouse',
    body: NewWarehouse,
    response: created('warehouseId', Type.Object({ warehouseId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, requestId, body }) {
      await verifyAccounts(tx, actor, body)
      await refuseCodeOfInactiveWarehouse(tx, actor, body.code)
      const id = uuidv7()
      const row = {
        organisationId: actor.organisationId,
        id,
        addressId: uuidv7(),
        address: toStoredAddress(body.address ?? {}),
        ...givenFields(body, columnNames),
      }
      await refuseViolations(tx.run(insertInto('warehouse', row)), uniqueKeyRefusals(body.code))
      if (body.status !== WarehouseStatus.Inactive)
        await retryWaitingImports(tx, { ...actor, requestId }, 'warehouse', body.code)
      return { warehouseId: id }
    },
  }),
  endpoint({
    put: '/v1/warehouses/:warehouseId',
    name: 'updateWarehouse',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Change a warehouse',
    description:
      'Absent fields are kept. The time zone cannot change once the warehouse has consignments, stock, ' +
      'jobs or stock counts. A warehouse with stock in it cannot become Inactive.',
    body: WarehouseChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, requestId, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.warehouseId}`
      // A new time zone also waits for those who are about to refer to the warehouse.
      const lock = body.timezoneId === undefined ? sql`for no key update` : sql`for update`
      const warehouse = await tx.maybe<{ timezoneId: string; status: number }>(
        sql`select timezone_id, status from warehouse where ${where} ${lock}`,
      )
      if (warehouse === undefined) throw notFound('Warehouse')
      if (body.timezoneId !== undefined && body.timezoneId !== warehouse.timezoneId)
        await refuseOtherTimeZone(tx, actor, params.warehouseId)
      if (body.status === WarehouseStatus.Inactive && warehouse.status !== body.status) {
        const { warehouseId } = params
        const stock = await describeStockOnHand(
          tx,
          actor.organisationId,
          sql`p.warehouse_id = ${warehouseId}`,
        )
        if (stock !== null)
          throw verificationFailed(faultAt('status', `must not be Inactive: ${stock}`, 'state'))
      }
      await verifyAccounts(tx, actor, body)
      await refuseCodeOfInactiveWarehouse(tx, actor, body.code, params.warehouseId)
      const { address, ...fields } = body
      const change = address === undefined ? fields : { ...fields, address: toStoredAddress(address ?? {}) }
      const update = updateFields(
        'warehouse',
        [...columnNames, ...defaultLocationNames, 'address'],
        change,
        where,
      )
      const isChanged =
        (await refuseViolations(tx.run(update), { ...uniqueKeyRefusals(body.code), ...foreignKeyRefusals })) >
        0
      if (isChanged) {
        const { code, status } = await tx.row<{ code: string; status: number }>(
          sql`select code, status from warehouse where ${where}`,
        )
        if (status === WarehouseStatus.Active)
          await retryWaitingImports(tx, { ...actor, requestId }, 'warehouse', code)
      }
      return isChanged
    },
  }),
]
