// What fields suggest: places, products, partners and warehouses, as values with texts that explain them.

import { useQuery } from '@tanstack/react-query'
import { useSettled } from '../../ui/use-settled.ts'
import { read } from './api.ts'
import { readAll } from './every-page.ts'
import { hasScope, kindOf, type Me } from './me.ts'
import { type Choice, usePartners } from './partner-options.ts'
import { peopleWords as people } from './words/people.ts'
import { stockWords as words } from './words/stock.ts'

export type { Choice } from './partner-options.ts'

const keepMs = 60_000

const searchFor = (text: string) =>
  text === '' ? { PageSize: 20 } : ({ SearchText: text, PageSize: 20 } as const)

/** The places of a warehouse whose names have this text. */
export function usePlaces(warehouseId: string | undefined, text: string) {
  const { data } = useQuery({
    ...read('/v1/warehouses/{warehouseId}/locations', {
      path: { warehouseId: warehouseId ?? '' },
      query: searchFor(useSettled(text)),
    }),
    enabled: warehouseId !== undefined && warehouseId !== '',
    placeholderData: before => before,
  })
  return (
    data?.locations.map(({ id, name, type, warehouseZoneName }) => ({
      ...{ id, value: name },
      text: warehouseZoneName ?? words.placeType(type),
    })) ?? []
  )
}

/** The products of a client whose codes or names have this text. */
export function useProducts(partnerId: string | undefined, text: string) {
  const { data } = useQuery({
    ...read('/v1/partners/{partnerId}/products', {
      path: { partnerId: partnerId ?? '' },
      query: searchFor(useSettled(text)),
    }),
    enabled: partnerId !== undefined && partnerId !== '',
    placeholderData: before => before,
  })
  return data?.products.map(product => ({ ...product, value: product.code, text: product.name })) ?? []
}

/** The active clients; none for people who see only their own. */
export const useClients = (me: Me) => usePartners(me, { Relationship: 1, Status: 2 }) ?? []

/** The active carriers; none for people of a partner. */
export const useCarriers = (me: Me) => usePartners(me, { Relationship: 2, Status: 2 }) ?? []

/** The active clients and carriers, as options by id. */
export const usePartnerOptions = (me: Me): readonly Choice[] =>
  [...useClients(me), ...useCarriers(me)].map(({ id, name }) => ({ value: id, text: name }))

/** All clients, as options by id: goods of one who is no longer active can still be looked for. */
export const useClientOptions = (me: Me): readonly Choice[] =>
  (usePartners(me, { Relationship: 1 }) ?? []).map(({ id, name }) => ({ value: id, text: name }))

/** All clients and carriers, told apart, as options by id; none for people of a partner. */
export function useAllPartnerOptions(me: Me): readonly Choice[] {
  const { data } = useQuery({
    ...readAll('/v1/partners'),
    enabled: kindOf(me) === 'staff' && hasScope(me, 'partner.read'),
    staleTime: keepMs,
  })
  return (data?.partners ?? []).map(({ id, name, relationship }) => ({
    value: id,
    text: relationship === 1 ? people.client(name) : people.carrier(name),
  }))
}

/** The warehouses, as options by id. */
export const warehouseOptions = ({ warehouses }: Me): readonly Choice[] =>
  warehouses.map(({ id, name }) => ({ value: id, text: name }))
