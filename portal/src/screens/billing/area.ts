// The areas of a locality as people type them: each is of one kind.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { setUpWords as words } from '../../words/set-up.ts'

type Area = Schemas['LocalityArea']

export const areaKinds = ['postcodes', 'states', 'suburbs', 'circle', 'polygon'] as const
export type AreaKind = (typeof areaKinds)[number]

/** An area as it is typed. */
export interface TypedArea {
  /** tells it from the others while it is typed */
  id: string
  kind: AreaKind
  country: string
  /** postcodes: from and to; states and suburbs: with commas; circle: latitude, longitude and radius */
  first: string
  second: string
  third: string
}

function kindOf({ states, suburbs, circle, polygon }: Area): AreaKind {
  if (states !== undefined) return 'states'
  if (suburbs !== undefined) return 'suburbs'
  if (circle !== undefined) return 'circle'
  return polygon === undefined ? 'postcodes' : 'polygon'
}

/** An area of the API as its fields have it. */
export function typedAreaOf(area: Area): TypedArea {
  const kind = kindOf(area)
  const { circle } = area
  const fields: Record<AreaKind, readonly (string | number | null | undefined)[]> = {
    postcodes: [area.postcodeFrom, area.postcodeTo],
    states: [area.states?.join(', ')],
    suburbs: [area.suburbs?.join(', ')],
    circle: [circle?.latitude, circle?.longitude, circle?.radiusKM],
    polygon: [area.polygon?.map(point => point.join(', ')).join('\n')],
  }
  const [first, second, third] = fields[kind].map(value => String(value ?? ''))
  const id = crypto.randomUUID()
  return {
    id,
    kind,
    country: area.country ?? '',
    first: first ?? '',
    second: second ?? '',
    third: third ?? '',
  }
}

const listIn = (text: string) =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** What was typed, as the API takes it. */
export function areaOf({ kind, country, first, second, third }: TypedArea): Area {
  const where = { country: country.trim() || null }
  if (kind === 'postcodes')
    return { ...where, postcodeFrom: first.trim() || null, postcodeTo: second.trim() || null }
  if (kind === 'states') return { ...where, states: listIn(first) }
  if (kind === 'suburbs') return { ...where, suburbs: listIn(first) }
  if (kind === 'circle')
    return { circle: { latitude: Number(first), longitude: Number(second), radiusKM: Number(third) } }
  const points = first.split('\n').filter(line => line.trim() !== '')
  return { polygon: points.map(line => line.split(',').map(Number)) }
}

/** An area in a line. */
export function areaInWords(area: Area): string {
  const { kind, country, first, second, third } = typedAreaOf(area)
  if (kind === 'circle') return words.circleOf(first, second, third)
  if (kind === 'polygon') return words.polygonOf(area.polygon?.length ?? 0)
  const range = kind === 'postcodes' && second !== '' && second !== first ? `${first} – ${second}` : first
  return [country, range].filter(Boolean).join(' ')
}
