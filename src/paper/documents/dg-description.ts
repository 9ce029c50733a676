// How dangerous goods are described in box 14 of their declaration, and what keeps them from being declared.
// Pure. IMDG Code 5.4.1.4 and 5.4.1.5.

import { DgStandard } from '../../reference-data/enumerations.ts'
import { words } from './words.ts'

/** A hazard class of a product, as it was given; the category where one was. */
export interface HazardClass {
  standard: number
  code: string
  category: string | null
}

/** Goods of one product in one kind of package. */
export interface DangerousGoods {
  productCode: string
  unNumber: string | null
  properShippingName: string | null
  technicalName: string | null
  /** in the order in which they were given */
  hazardClasses: readonly HazardClass[]
  packingGroup: number | null
  isMarinePollutant: boolean
  /** degrees Celsius, as somebody wrote it */
  flashpoint: string | null
  /** how many packages, as papers write it, and of what kind */
  packages: string
  packageKind: string
  /** kilograms; null where it is not known */
  grossKG: number | null
}

const transportStandards: readonly number[] = [DgStandard.NewZealand_Dg2005, DgStandard.Australia_AdgCode]
/** The UN class or division of a hazard class: `3`, `6.1`, `1.4S`; null where a division is missing. */
function divisionOf({ code, category }: HazardClass): string | null {
  // New Zealand has the divisions as categories of a class; the Australian code has them as classes, and the
  // compatibility groups of explosives as categories.
  const found = category !== null && /^\d\.\d[A-Z]?$/.test(category) ? category : code
  return ['1', '2', '4', '5', '6'].includes(found) ? null : found
}

/**
 * The transport classes of goods, the primary one first. Of the two standards that have them, that of the
 * country of origin counts before the other.
 */
export function transportClasses(goods: DangerousGoods, country: string | null): string[] {
  const isAustralia = /^(au|aus|australia)$/i.test(country?.trim() ?? '')
  const standards = isAustralia ? transportStandards.toReversed() : transportStandards
  for (const standard of standards) {
    const own = goods.hazardClasses.filter(one => one.standard === standard)
    if (own.length > 0) return own.flatMap(one => divisionOf(one) ?? [])
  }
  return []
}

const unNumber = (text: string | null): string | undefined =>
  /^(?:UN)?\s*(\d{4})$/i.exec(text?.trim() ?? '')?.[1]

/** Self-reactive substances of division 4.1 have types and no packing groups. */
const isSelfReactive = (un: string | undefined) => un !== undefined && un >= '3221' && un <= '3240'

const needsPackingGroup = (division: string | undefined, un: string | undefined): boolean =>
  division !== undefined && !/^(1\.|2\.|7$|5\.2$|6\.2$)/.test(division) && !isSelfReactive(un)

const isNotOtherwiseSpecified = (name: string | null) => /\bN\.?\s?O\.?\s?S\b/i.test(name ?? '')

/** What keeps goods from being declared, as one sentence; null where nothing does. */
export function refusalOf(goods: DangerousGoods, country: string | null): string | null {
  const un = unNumber(goods.unNumber)
  const [primary] = transportClasses(goods, country)
  const missing = words.dg.missing
  const faults = [
    un === undefined && missing.unNumber,
    !goods.properShippingName?.trim() && missing.properShippingName,
    primary === undefined && missing.transportClass,
    primary !== undefined && /^1\.\d$/.test(primary) && missing.compatibilityGroup,
    needsPackingGroup(primary, un) && goods.packingGroup === null && missing.packingGroup,
    isNotOtherwiseSpecified(goods.properShippingName) &&
      !goods.technicalName?.trim() &&
      missing.technicalName,
    goods.grossKG === null && missing.mass,
  ].filter(fault => fault !== false)
  return faults.length === 0 ? null : words.dg.lacks(goods.productCode, faults)
}

/** The highest flashpoint that is declared, in degrees Celsius. */
const maxFlashpoint = 60

function flashpointOf({ flashpoint }: DangerousGoods, classes: readonly string[]): string | null {
  const degrees = /-?\d+(?:[.,]\d+)?/.exec(flashpoint?.replace('\u2212', '-') ?? '')?.[0]?.replace(',', '.')
  if (degrees === undefined || Number(degrees) > maxFlashpoint || !classes.includes('3')) return null
  return `(${degrees} °C c.c.)`
}

/**
 * The description of goods that may be declared: number and kind of packages; UN number, proper shipping
 * name, class, subsidiary hazards and packing group with nothing in between; then what else the Code asks
 * for.
 */
export function descriptionOf(goods: DangerousGoods, country: string | null): string {
  const [primary, ...subsidiary] = transportClasses(goods, country)
  const technical = goods.technicalName?.trim()
  const name = (goods.properShippingName ?? '').trim().toLocaleUpperCase('en')
  const un = unNumber(goods.unNumber)
  const described = [
    `UN ${un}`,
    technical ? `${name} (${technical})` : name,
    [primary, subsidiary.length > 0 ? `(${subsidiary.join(', ')})` : ''].filter(Boolean).join(' '),
    needsPackingGroup(primary, un) && goods.packingGroup !== null
      ? `PG ${'I'.repeat(goods.packingGroup)}`
      : '',
    goods.isMarinePollutant ? 'MARINE POLLUTANT' : '',
    flashpointOf(goods, [primary ?? '', ...subsidiary]) ?? '',
  ].filter(part => part !== '')
  return `${goods.packages} ${goods.packageKind} ${described.join(', ')}`
}
