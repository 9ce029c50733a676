// Starts the portal: the theme, who is signed in, and then the screen at the address.

import '../../ui/tokens.css'
import '../../ui/base.css'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './frame/ErrorBoundary.tsx'
import { Fault } from './frame/Fault.tsx'
import { SignInGate } from './frame/SignInGate.tsx'
import { chosenDensity, chosenTheme, showDensity, showTheme } from './frame/theme.ts'
import { meQuery } from './me.ts'
import { queries } from './queries.ts'
import { router } from './router.tsx'
import { start } from './session.ts'

/** The screens, which ask who is signed in: until that is known, React would show none for 300 ms. */
function Screens() {
  const { isPending } = useQuery(meQuery)
  return isPending ? null : <RouterProvider router={router} />
}

showTheme(chosenTheme())
showDensity(chosenDensity())
createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <SignInGate>
      <QueryClientProvider client={queries}>
        <ErrorBoundary shows={error => <Fault error={error} onRetry={() => location.reload()} />}>
          <Screens />
        </ErrorBoundary>
      </QueryClientProvider>
    </SignInGate>
  </StrictMode>,
)
const next = await start()
if (next !== undefined) router.history.replace(next)
