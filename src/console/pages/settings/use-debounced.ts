import { useEffect, useState } from 'react';

/** Returns a value once it is unchanged for `ms` milliseconds, for example the text of a search. */
export function useDebounced<Value>(value: Value, ms = 250): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
