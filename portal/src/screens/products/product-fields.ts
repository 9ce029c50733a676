// The fields of a product, by the regions that show them.

import { useQuery } from '@tanstack/react-query'
import { PackagingGroup } from '../../../../client/src/waybill.ts'
import { readAll } from '../../every-page.ts'
import type { RecordField } from '../../record-fields.ts'
import type { Choice } from '../../suggestions.ts'
import { productWords as words } from '../../words/products.ts'
import { type Mark, marks, stockRuleWords as rules } from '../../words/stock-rules.ts'

const keepMs = 60_000

/** Texts by value, as choices. */
export const choicesOf = (texts: Readonly<Record<number, string>>): readonly Choice[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }))

const orNone = (text: string, choices: readonly Choice[]) => [{ value: '', text }, ...choices]

/** The types of units, as choices by id. */
export const useUnitTypes = (): readonly Choice[] =>
  useQuery({ ...readAll('/v1/unit-types'), staleTime: keepMs }).data?.unitTypes.map(({ id, name }) => ({
    value: id,
    text: name,
  })) ?? []

const useGroups = (): readonly Choice[] =>
  useQuery({ ...readAll('/v1/product-groups'), staleTime: keepMs }).data?.productGroups.map(
    ({ id, name }) => ({ value: id, text: name }),
  ) ?? []

/** What identifies a product. */
export const nameFields: readonly RecordField[] = [
  { path: 'code', label: words.code, isRequired: true },
  { path: 'name', label: words.name, isRequired: true },
]

/** What a product is, weighs and measures. */
export function useFactFields(): readonly RecordField[] {
  const [groups, units] = [useGroups(), useUnitTypes()]
  return [
    ...nameFields,
    { path: 'productGroupId', label: words.group, options: orNone(words.noGroup, groups) },
    { path: 'barcode', label: words.barcode },
    { path: 'gtin', label: words.gtin },
    {
      ...{ path: 'productUnitTypeId', label: words.unit, help: words.unitHelp },
      options: orNone(words.noUnit, units),
    },
    { path: 'weightKG', label: words.weight, kind: 'number' },
    { path: 'lengthMM', label: words.length, kind: 'number' },
    { path: 'widthMM', label: words.width, kind: 'number' },
    { path: 'heightMM', label: words.height, kind: 'number' },
    { path: 'volumeM3', label: words.volume, kind: 'number' },
    { path: 'isVolumeAutoCalculated', label: words.isVolumeCalculated, kind: 'switch' },
    { path: 'freeStorageHours', label: words.freeHours, kind: 'number', help: words.freeHoursHelp },
    { path: 'receiveInstructions', label: words.receiveInstructions, kind: 'lines' },
    { path: 'pickInstructions', label: words.pickInstructions, kind: 'lines' },
  ]
}

/** Which serials, batches and dates goods have. */
export const usageFields: readonly RecordField[] = [
  {
    ...{ path: 'serialTrackingMode', label: words.serials, kind: 'number' },
    options: choicesOf(words.serialOptions),
  },
  ...marks.map(
    (mark): RecordField => ({
      ...{ path: `${mark}Usage`, label: rules.usageOf(mark), kind: 'number' },
      options: choicesOf(rules.usages),
    }),
  ),
]

const dated: readonly Mark[] = marks.filter(mark => mark !== 'batch')
const asClient = (texts: Readonly<Record<number, string>>) => orNone(rules.asClient, choicesOf(texts))

/** How its stock is chosen, where it has rules of its own. */
export const ruleFields: readonly RecordField[] = [
  { path: 'rotationMethod', label: rules.rotation, kind: 'number', options: asClient(rules.rotations) },
  {
    path: 'rotationMethodSecondary',
    label: rules.second,
    kind: 'number',
    options: asClient(rules.rotations),
  },
  {
    path: 'stockDepletionMethod',
    label: rules.depletion,
    kind: 'number',
    options: asClient(rules.depletions),
  },
  ...([...marks, 'serial'] as const).map(
    (mark): RecordField => ({
      ...{ path: `${mark}Substitution`, label: rules.substitutionOf(mark), kind: 'number' },
      options: asClient(rules.substitutions),
    }),
  ),
  ...dated.map(
    (mark): RecordField => ({
      ...{ path: `${mark}CriticalThresholdDays`, label: rules.criticalOf(mark), kind: 'number' },
    }),
  ),
]

/** What the papers of dangerous goods say. */
export const dangerFields: readonly RecordField[] = [
  { path: 'isDangerousGood', label: words.isDangerous, kind: 'switch' },
  { path: 'dgUnNumber', label: words.unNumber },
  { path: 'dgProperShippingName', label: words.shippingName },
  { path: 'dgTechnicalName', label: words.technicalName },
  {
    ...{ path: 'dgPackagingGroup', label: words.packagingGroup, kind: 'number' },
    options: orNone(
      words.noUnit,
      Object.values(PackagingGroup).map(group => ({
        value: String(group),
        text: words.packagingGroupOf(group),
      })),
    ),
  },
  { path: 'dgHazchemEac', label: words.hazchem },
  { path: 'dgFlashpointDegC', label: words.flashpoint },
  { path: 'dgPhLevel', label: words.ph, kind: 'number' },
  { path: 'dgMarinePollutant', label: words.marinePollutant, kind: 'switch' },
]
