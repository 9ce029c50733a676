// Decides whether an address is in a locality, which means in any of its areas. An area is given by
// postcodes, states or suburbs of a country, or by coordinates. Pure.

/** The parts of an address that localities look at. */
export interface Place {
  country?: string | null
  postCode?: string | null
  state?: string | null
  suburb?: string | null
  city?: string | null
  latitude?: number | null
  longitude?: number | null
}

/** An area of a locality, in one of these forms. */
export type Area =
  | { country: string; postcodeFrom: string; postcodeTo: string }
  | { country: string; states: readonly string[] }
  | { country: string; suburbs: readonly string[] }
  | { circle: { latitude: number; longitude: number; radiusKM: number } }
  | { polygon: readonly (readonly [latitude: number, longitude: number])[] }

/** Compares texts, ignoring case and surrounding blanks. */
const isSameText = (a: string | null | undefined, b: string): boolean =>
  a !== null && a !== undefined && a.trim().toLowerCase() === b.trim().toLowerCase()

/** Whether an area contains an address. */
export function areaContains(area: Area, place: Place): boolean {
  const { latitude, longitude } = place
  const isOnMap = typeof latitude === 'number' && typeof longitude === 'number'
  if ('circle' in area)
    return isOnMap && distanceKM(area.circle, { latitude, longitude }) <= area.circle.radiusKM
  if ('polygon' in area) return isOnMap && isInside(area.polygon, latitude, longitude)
  if (!isSameText(place.country, area.country)) return false
  if ('states' in area) return area.states.some(state => isSameText(place.state, state))
  if ('suburbs' in area)
    return area.suburbs.some(
      suburb => isSameText(place.suburb, suburb) || (!place.suburb && isSameText(place.city, suburb)),
    )
  return isBetween(place.postCode, area.postcodeFrom, area.postcodeTo)
}

/**
 * Whether a postcode is in a range, ends included. Postcodes of digits compare as numbers, others as text.
 */
function isBetween(postCode: string | null | undefined, from: string, to: string): boolean {
  const code = postCode?.trim().toLowerCase()
  if (!code) return false
  const [first, last] = [from.trim().toLowerCase(), to.trim().toLowerCase()]
  const isNumber = (text: string) => /^\d{1,15}$/.test(text)
  if (isNumber(first) && isNumber(last))
    return isNumber(code) && Number(first) <= Number(code) && Number(code) <= Number(last)
  return first <= code && code <= last
}

interface Point {
  latitude: number
  longitude: number
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const earthRadiusKM = 6_371.0088

/** The great-circle distance (haversine formula). */
function distanceKM(a: Point, b: Point): number {
  const half = (angle: number) => Math.sin(radians(angle) / 2) ** 2
  const chord =
    half(b.latitude - a.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(b.longitude - a.longitude)
  return 2 * earthRadiusKM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

type Polygon = readonly (readonly [latitude: number, longitude: number])[]

/** A difference of longitudes as the shorter way around the earth, in degrees to the east. */
const eastward = (degrees: number): number => (((((degrees % 360) + 540) % 360) + 360) % 360) - 180

/**
 * Whether a ray to the east crosses the edges an odd number of times. Each edge runs the shorter way around
 * the earth, so that an area may lie across the 180th meridian.
 */
function isInside(polygon: Polygon, latitude: number, longitude: number): boolean {
  let east = longitude
  let previous = longitude
  const corners = polygon.map(([lat, lon]) => {
    east += eastward(lon - previous)
    previous = lon
    return [lat, east] as const
  })
  return [-360, 0, 360].some(turn => crossings(corners, latitude, longitude + turn) % 2 === 1)
}

function crossings(corners: Polygon, latitude: number, longitude: number): number {
  let count = 0
  for (const [i, [latA, lonA]] of corners.entries()) {
    const [latB, lonB] = corners[(i + 1) % corners.length] as Polygon[number]
    if (latA > latitude === latB > latitude) continue
    if (lonA + ((latitude - latA) / (latB - latA)) * (lonB - lonA) > longitude) count++
  }
  return count
}
