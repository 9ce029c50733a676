// Describes dangerous goods for box 14 of the declaration, and finds what prevents a declaration. Pure. IMDG
// Code 5.4.1.4 and 5.4.1.5.

import { DgStandard } from '../../vocabulary/reference-data.ts'
import { words } from './words.ts'

/** A hazard class of a product as entered, with its category if any. */
export interface HazardClass {
  standard: number
  code: string
  category: string | null
}

/** The goods of one product in one kind of package. */
export interface DangerousGoods {
  productCode: string
  unNumber: string | null
  properShippingName: string | null
  technicalName: string | null
  /** in the order of entry; the first is the primary one */
  hazardClasses: readonly HazardClass[]
  packingGroup: number | null
  isMarinePollutant: boolean
  /** degrees Celsius, as free text */
  flashpoint: string | null
  /** the number and kind of packages: `12 Carton and 4 Can` */
  packages: string
  /** in kilograms; null or 0 if unknown */
  grossKG: number | null
}

const transportStandards: readonly number[] = [DgStandard.NewZealand_Dg2005, DgStandard.Australia_AdgCode]

/**
 * Returns the UN class or division of a hazard class: `3`, `6.1`, `1.4S`; null if its division is missing.
 */
function divisionOf({ code, category }: HazardClass): string | null {
  // The New Zealand standard has divisions as categories of a class. The Australian code has divisions as
  // classes, and the compatibility groups of explosives as categories.
  const division = category !== null && /^\d\.\d[A-Z]?$/.test(category) ? category : code
  return ['1', '2', '4', '5', '6'].includes(division) ? null : division
}

/**
 * Returns the transport classes of goods, the primary one first. Two standards have transport classes; the
 * one of the country of origin is preferred.
 */
export function transportClasses(goods: DangerousGoods, country: string | null): string[] {
  const isAustralia = /^(au|aus|australia)$/i.test(country?.trim() ?? '')
  const standards = isAustralia ? transportStandards.toReversed() : transportStandards
  for (const standard of standards) {
    const classes = goods.hazardClasses.filter(hazardClass => hazardClass.standard === standard)
    if (classes.length > 0) return classes.flatMap(hazardClass => divisionOf(hazardClass) ?? [])
  }
  return []
}

const unNumber = (text: string | null): string | undefined =>
  /^(?:UN)?\s*(\d{4})$/i.exec(text?.trim() ?? '')?.[1]

/** Self-reactive substances of division 4.1 have types instead of packing groups. */
const isSelfReactive = (un: string | undefined) => un !== undefined && un >= '3221' && un <= '3240'

const needsPackingGroup = (division: string | undefined, un: string | undefined): boolean =>
  division !== undefined && !/^(1\.|2\.|7$|5\.2$|6\.2$)/.test(division) && !isSelfReactive(un)

const isNotOtherwiseSpecified = (name: string | null) => /\bN\.?\s?O\.?\s?S\b/i.test(name ?? '')

/** Returns one sentence with everything that prevents a declaration of the goods; null if nothing does. */
export function describeFaults(goods: DangerousGoods, country: string | null): string | null {
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
    // Goods that are there have a mass, so 0 means that nobody has entered it.
    !goods.grossKG && missing.mass,
  ].filter(fault => fault !== false)
  return faults.length === 0 ? null : words.dg.lacks(goods.productCode, faults)
}

/** Higher flashpoints, in degrees Celsius, are not declared. */
const maxFlashpoint = 60

function flashpointOf({ flashpoint }: DangerousGoods, classes: readonly string[]): string | null {
  const degrees = /-?\d+(?:[.,]\d+)?/.exec(flashpoint?.replace('\u2212', '-') ?? '')?.[0]?.replace(',', '.')
  if (degrees === undefined || Number(degrees) > maxFlashpoint || !classes.includes('3')) return null
  return `(${degrees} °C c.c.)`
}

/**
 * Returns the description of goods for which `describeFaults` finds nothing: number and kind of packages,
 * then UN number, proper shipping name, class, subsidiary hazards and packing group in the order that the
 * Code requires, then the further particulars.
 */
export function descriptionOf(goods: DangerousGoods, country: string | null): string {
  const [primary, ...subsidiary] = transportClasses(goods, country)
  const technical = goods.technicalName?.trim()
  const name = (goods.properShippingName ?? '').trim().toLocaleUpperCase('en')
  const un = unNumber(goods.unNumber)
  const particulars = [
    `UN ${un}`,
    technical ? `${name} (${technical})` : name,
    [primary, subsidiary.length > 0 ? `(${subsidiary.join(', ')})` : ''].filter(Boolean).join(' '),
    needsPackingGroup(primary, un) && goods.packingGroup !== null
      ? `PG ${'I'.repeat(goods.packingGroup)}`
      : '',
    goods.isMarinePollutant ? 'MARINE POLLUTANT' : '',
    flashpointOf(goods, [primary ?? '', ...subsidiary]) ?? '',
  ].filter(part => part !== '')
  return `${goods.packages} ${particulars.join(', ')}`
}
