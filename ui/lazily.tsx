// Parts that few open, and whose code is loaded only then. React's own `lazy` shows them at the earliest
// 300 ms after they are opened, however soon the code is there.

import { type ComponentType, useEffect, useState } from 'react'

/** The code of a part: how it is loaded, and what was loaded. */
interface Code<Props> {
  load: () => Promise<ComponentType<Props>>
  loaded?: ComponentType<Props>
}

/** A component that shows nothing until its code is loaded. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => React.ReactNode {
  const code: Code<Props> = { load }
  return props => <Part code={code} props={props} />
}

function Part<Props extends object>({ code, props }: { code: Code<Props>; props: Props }) {
  const [Shown, setShown] = useState(() => code.loaded)
  const [failed, setFailed] = useState<{ error: unknown }>()
  useEffect(() => {
    if (code.loaded !== undefined) return
    code.load().then(
      component => {
        code.loaded = component
        setShown(() => component)
      },
      (error: unknown) => setFailed({ error }),
    )
  }, [code])
  if (failed !== undefined) throw failed.error
  return Shown === undefined ? null : <Shown {...props} />
}
