// The fields of a warehouse and of a place in it.

import { useQuery } from '@tanstack/react-query'
import { LocationType } from '../../../../client/src/waybill.ts'
import { readAll } from '../../every-page.ts'
import type { FieldGroup } from '../../frame/RecordForm.tsx'
import { locationTypeOptions } from '../../lists/warehouses.tsx'
import type { RecordField } from '../../record-fields.ts'
import type { Choice } from '../../suggestions.ts'
import { warehouseWords as words } from '../../words/warehouses.ts'

const none: Choice = { value: '', text: words.none }

/** What a new warehouse needs; the rest is added on its page. */
export const newWarehouseFields = (): readonly RecordField[] => [
  { path: 'name', label: words.name, isRequired: true, maxLength: 200 },
  { path: 'code', label: words.code, isRequired: true, maxLength: 50 },
  {
    path: 'timezoneId',
    label: words.timezone,
    help: words.timezoneHelp,
    suggestions: Intl.supportedValuesOf('timeZone').map(value => ({ value })),
    isRequired: true,
  },
]

const contact: readonly RecordField[] = [
  { path: 'mainPhone', label: words.phone, maxLength: 200 },
  { path: 'contactPerson', label: words.contactPerson, maxLength: 200 },
  { path: 'contactPhone', label: words.contactPhone, maxLength: 200 },
]

const address: readonly RecordField[] = [
  { path: 'address.name', label: words.addressName, maxLength: 200 },
  { path: 'address.streetAddress', label: words.street, maxLength: 200 },
  { path: 'address.suburb', label: words.suburb, maxLength: 200 },
  { path: 'address.city', label: words.city, maxLength: 200 },
  { path: 'address.state', label: words.state, maxLength: 200 },
  { path: 'address.postCode', label: words.postCode, maxLength: 200 },
  { path: 'address.country', label: words.country, maxLength: 200 },
  { path: 'address.email', label: words.email, kind: 'email', maxLength: 254 },
  { path: 'address.phone', label: words.addressPhone, maxLength: 200 },
  { path: 'address.latitude', label: words.latitude, kind: 'number' },
  { path: 'address.longitude', label: words.longitude, kind: 'number' },
]

/** The fields of a warehouse, in groups. */
export function useWarehouseGroups(warehouseId: string): readonly FieldGroup[] {
  const costCentres = useQuery(readAll('/v1/cost-centres')).data?.costCentres ?? []
  const accounts = useQuery(readAll('/v1/revenue-accounts')).data?.revenueAccounts ?? []
  const docks = useQuery(
    readAll('/v1/warehouses/{warehouseId}/locations', {
      path: { warehouseId },
      query: { Type: LocationType.Transitional },
    }),
  ).data?.locations
  const booked = (rows: readonly { id: string; name: string; code: string }[]) => [
    none,
    ...rows.map(({ id, name, code }) => ({ value: id, text: `${code} ${name}` })),
  ]
  const places = [none, ...(docks ?? []).map(({ id, name }) => ({ value: id, text: name }))]
  return [
    { fields: newWarehouseFields() },
    { heading: words.contact, fields: contact },
    { heading: words.address, fields: address },
    {
      heading: words.booking,
      fields: [
        {
          path: 'costCentreId',
          from: 'costCentre.id',
          label: words.costCentre,
          options: booked(costCentres),
        },
        {
          path: 'revenueAccountId',
          from: 'revenueAccount.id',
          label: words.revenueAccount,
          options: booked(accounts),
        },
        { path: 'defaultReceiveLocationId', label: words.receiveDock, help: words.dockHelp, options: places },
        {
          path: 'defaultDispatchLocationId',
          label: words.dispatchDock,
          help: words.dockHelp,
          options: places,
        },
      ],
    },
  ]
}

/** The fields of a place, in groups. */
export const locationGroups = (zones: readonly Choice[]): readonly FieldGroup[] => [
  {
    fields: [
      { path: 'name', label: words.name, isRequired: true, maxLength: 200 },
      { path: 'type', label: words.type, kind: 'number', options: locationTypeOptions, isRequired: true },
      {
        path: 'warehouseZoneId',
        label: words.zone,
        options: [{ value: '', text: words.noZone }, ...zones],
      },
      { path: 'walkingOrder', label: words.walkingOrder, kind: 'number' },
      { path: 'aisle', label: words.aisle, maxLength: 50 },
      { path: 'bay', label: words.bay, maxLength: 50 },
      { path: 'level', label: words.level, maxLength: 50 },
    ],
  },
  {
    heading: words.pickface,
    fields: [
      { path: 'isPickface', label: words.isPickface, kind: 'switch' },
      { path: 'minQuantity', label: words.minimum, help: words.minimumHelp, kind: 'number' },
      { path: 'targetQuantity', label: words.target, help: words.targetHelp, kind: 'number' },
    ],
  },
  {
    heading: words.coordinates,
    fields: (['x', 'y', 'width', 'depth'] as const).map(path => ({
      ...{ path, label: words[path], kind: 'number' as const },
    })),
  },
  {
    heading: words.limits,
    fields: [
      { path: 'maxWeightKG', label: words.maxWeight, kind: 'number' },
      { path: 'maxVolumeM3', label: words.maxVolume, kind: 'number' },
      { path: 'maxUnits', label: words.maxUnits, kind: 'number' },
    ],
  },
]
