// The fields of a product, by the regions that show them.

import { useQuery } from '@tanstack/react-query'
import { PackagingGroup } from '../../../../client/src/waybill.ts'
import { read } from '../../api.ts'
import type { RegionField } from '../../frame/RegionForm.tsx'
import type { Choice } from '../../suggestions.ts'
import { productWords as words } from '../../words/products.ts'
import { type Mark, marks, stockRuleWords as rules } from '../../words/stock-rules.ts'

const keepMs = 60_000
const all = { PageSize: 500 } as const

/** Texts by value, as choices. */
export const choicesOf = (texts: Readonly<Record<number, string>>): readonly Choice[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }))

const orNone = (text: string, choices: readonly Choice[]) => [{ value: '', text }, ...choices]

/** The types of units, as choices by id. */
export const useUnitTypes = (): readonly Choice[] =>
  useQuery({ ...read('/v1/unit-types', { query: all }), staleTime: keepMs }).data?.unitTypes.map(
    ({ id, name }) => ({ value: id, text: name }),
  ) ?? []

const useGroups = (): readonly Choice[] =>
  useQuery({ ...read('/v1/product-groups', { query: all }), staleTime: keepMs }).data?.productGroups.map(
    ({ id, name }) => ({ value: id, text: name }),
  ) ?? []

/** What identifies a product. */
export const nameFields: readonly RegionField[] = [
  { name: 'code', label: words.code, isRequired: true },
  { name: 'name', label: words.name, isRequired: true },
]

/** What a product is, weighs and measures. */
export function useFactFields(): readonly RegionField[] {
  const [groups, units] = [useGroups(), useUnitTypes()]
  return [
    ...nameFields,
    { name: 'productGroupId', label: words.group, kind: 'id', options: orNone(words.noGroup, groups) },
    { name: 'barcode', label: words.barcode },
    { name: 'gtin', label: words.gtin },
    {
      ...{ name: 'productUnitTypeId', label: words.unit, kind: 'id', help: words.unitHelp },
      options: orNone(words.noUnit, units),
    },
    { name: 'weightKG', label: words.weight, kind: 'number' },
    { name: 'lengthMM', label: words.length, kind: 'number' },
    { name: 'widthMM', label: words.width, kind: 'number' },
    { name: 'heightMM', label: words.height, kind: 'number' },
    { name: 'volumeM3', label: words.volume, kind: 'number' },
    { name: 'isVolumeAutoCalculated', label: words.isVolumeCalculated, kind: 'switch' },
    { name: 'freeStorageHours', label: words.freeHours, kind: 'number', help: words.freeHoursHelp },
    { name: 'receiveInstructions', label: words.receiveInstructions, kind: 'multiline' },
    { name: 'pickInstructions', label: words.pickInstructions, kind: 'multiline' },
  ]
}

/** Which serials, batches and dates goods have. */
export const usageFields: readonly RegionField[] = [
  {
    ...{ name: 'serialTrackingMode', label: words.serials, kind: 'choice' },
    options: choicesOf(words.serialOptions),
  },
  ...marks.map(
    (mark): RegionField => ({
      ...{ name: `${mark}Usage`, label: rules.usageOf(mark), kind: 'choice' },
      options: choicesOf(rules.usages),
    }),
  ),
]

const dated: readonly Mark[] = marks.filter(mark => mark !== 'batch')
const asClient = (texts: Readonly<Record<number, string>>) => orNone(rules.asClient, choicesOf(texts))

/** How its stock is chosen, where it has rules of its own. */
export const ruleFields: readonly RegionField[] = [
  { name: 'rotationMethod', label: rules.rotation, kind: 'choice', options: asClient(rules.rotations) },
  {
    name: 'rotationMethodSecondary',
    label: rules.second,
    kind: 'choice',
    options: asClient(rules.rotations),
  },
  {
    name: 'stockDepletionMethod',
    label: rules.depletion,
    kind: 'choice',
    options: asClient(rules.depletions),
  },
  ...([...marks, 'serial'] as const).map(
    (mark): RegionField => ({
      ...{ name: `${mark}Substitution`, label: rules.substitutionOf(mark), kind: 'choice' },
      options: asClient(rules.substitutions),
    }),
  ),
  ...dated.map(
    (mark): RegionField => ({
      ...{ name: `${mark}CriticalThresholdDays`, label: rules.criticalOf(mark), kind: 'number' },
    }),
  ),
]

/** What the papers of dangerous goods say. */
export const dangerFields: readonly RegionField[] = [
  { name: 'isDangerousGood', label: words.isDangerous, kind: 'switch' },
  { name: 'dgUnNumber', label: words.unNumber },
  { name: 'dgProperShippingName', label: words.shippingName },
  { name: 'dgTechnicalName', label: words.technicalName },
  {
    ...{ name: 'dgPackagingGroup', label: words.packagingGroup, kind: 'choice' },
    options: orNone(
      words.noUnit,
      Object.values(PackagingGroup).map(group => ({
        value: String(group),
        text: words.packagingGroupOf(group),
      })),
    ),
  },
  { name: 'dgHazchemEac', label: words.hazchem },
  { name: 'dgFlashpointDegC', label: words.flashpoint },
  { name: 'dgPhLevel', label: words.ph, kind: 'number' },
  { name: 'dgMarinePollutant', label: words.marinePollutant, kind: 'switch' },
]
