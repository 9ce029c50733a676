// Turns the contents page (routes.ts) into routes. The query of an address is plain text, as the API writes
// it: `?Status=2&Status=4&Sort=due`.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useNavigate,
  useParams,
  useRouter,
  useSearch as useRouterSearch,
} from '@tanstack/react-router'
import { useCallback } from 'react'
import { Fault, NotHere, NotYours } from './frame/Fault.tsx'
import { Frame } from './frame/Frame.tsx'
import { Reading } from './frame/Reading.tsx'
import { mayOpen, useMe } from './me.ts'
import { type PortalPage, pages } from './routes.ts'

export { Link } from '@tanstack/react-router'

/** The query of an address: texts, and lists of texts where a name is repeated. */
export type Search = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads the query of an address. */
export function parseSearch(text: string): Search {
  const query = new URLSearchParams(text)
  const names = [...new Set(query.keys())]
  return Object.fromEntries(
    names.map(name => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

/** Writes the query of an address. What is empty or undefined is left out. */
export function stringifySearch(search: Search): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined && one !== '') query.append(name, String(one))
  return query.size === 0 ? '' : `?${query}`
}

const root = createRootRoute({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  // Functions, because frame/Fault.tsx imports this file and may not have been run yet.
  notFoundComponent: () => <NotHere />,
  errorComponent: FaultOfRoute,
})

/** Shows what went wrong with a screen, and shows it again on demand. */
function FaultOfRoute({ error }: { error: unknown }) {
  const router = useRouter()
  return <Fault error={error} onRetry={() => void router.invalidate()} />
}

const routeOf = (page: PortalPage) => {
  const Screen = lazyRouteComponent(page.screen, 'Screen')
  const show = () => (
    <Reading>
      <Screen />
    </Reading>
  )
  const Guarded = Object.assign(() => (mayOpen(useMe(), page) ? show() : <NotYours />), {
    // The code of a screen is loaded as soon as somebody points at a link to it. The screen before it stays
    // until it is there.
    preload: async () => void (await Screen.preload?.()),
  })
  return createRoute({
    getParentRoute: () => root,
    path: page.path,
    component: Guarded,
    errorComponent: FaultOfRoute,
  })
}

/** Every address that no page has. */
const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => <NotHere /> })

/** The router. */
export const router = createRouter({
  routeTree: root.addChildren([...pages.map(routeOf), elsewhere]),
  parseSearch,
  stringifySearch: search => stringifySearch(search as Search),
  defaultPreload: 'intent',
})

/** The ids in the address of the screen. */
export const useIds = (): Readonly<Record<string, string>> => useParams({ strict: false })

/** The query of the screen's address. */
export const useSearch = (): Search => useRouterSearch({ strict: false }) as Search

/** Goes to another address. */
export function useGo(): (to: string, search?: Search) => void {
  const navigate = useNavigate()
  return useCallback((to, search = {}) => void navigate({ to, search: search as never }), [navigate])
}

/** Changes parts of the query. With `replace`, Back skips the present one. */
export function useChangeSearch(): (change: Search, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (change, { replace = false } = {}) =>
      void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...change })) as never, replace }),
    [navigate],
  )
}
