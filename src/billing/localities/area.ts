// The schema of a locality's areas: each area has exactly one of five forms. Decision 7.

import { named, optional, type Static, Type } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import type { Area } from '../evaluator/locality.ts'

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 1_000 })
const Postcode = Type.String({ minLength: 1, maxLength: 20 })
const Latitude = Type.Number({ minimum: -90, maximum: 90 })
const Longitude = Type.Number({ minimum: -180, maximum: 180 })

const forms = [
  ['country', 'postcodeFrom', 'postcodeTo'],
  ['country', 'states'],
  ['country', 'suburbs'],
  ['circle'],
  ['polygon'],
]

function formFaults(value: unknown): ValidationError[] {
  if (typeof value !== 'object' || value === null) return []
  const area = value as Record<string, unknown>
  const present = Object.keys(area).filter(name => area[name] !== null && area[name] !== undefined)
  const known = new Set(forms.flat())
  const fields = present.filter(name => known.has(name))
  const isForm = forms.some(
    form => form.length === fields.length && form.every(name => fields.includes(name)),
  )
  const isReversed =
    isForm &&
    typeof area.postcodeFrom === 'string' &&
    typeof area.postcodeTo === 'string' &&
    area.postcodeTo.localeCompare(area.postcodeFrom, 'en', { numeric: true }) < 0
  if (isReversed)
    return [{ path: '/postcodeTo', problem: 'must not come before postcodeFrom', code: 'range' }]
  return isForm
    ? []
    : [
        {
          path: '',
          problem:
            'must be country with postcodeFrom and postcodeTo, with states or with suburbs, or a circle, ' +
            'or a polygon',
        },
      ]
}

export const Areas = Type.Array(
  named(
    'LocalityArea',
    Type.Object(
      {
        country: optional(Type.String({ minLength: 1, maxLength: 200 })),
        postcodeFrom: optional(Postcode),
        postcodeTo: optional(Postcode),
        states: optional(Words),
        suburbs: optional(Words),
        circle: optional(
          Type.Object({
            latitude: Latitude,
            longitude: Longitude,
            radiusKM: Type.Number({ exclusiveMinimum: 0, maximum: 20_000 }),
          }),
        ),
        polygon: optional(
          Type.Array(Type.Array(Type.Number({ minimum: -180, maximum: 180 }), { minItems: 2, maxItems: 2 }), {
            minItems: 3,
            maxItems: 200,
            description: '[latitude, longitude] of each corner',
          }),
        ),
      },
      { rule: formFaults },
    ),
  ),
  { minItems: 1, maxItems: 1_000 },
)

/** Returns the areas as they are stored: without null fields. */
export const storedAreas = (areas: Static<typeof Areas>): Area[] =>
  areas.map(area => Object.fromEntries(Object.entries(area).filter(([, value]) => value !== null)) as Area)
