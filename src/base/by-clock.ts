/**
 * State of the process by what makes its timers or turns: what waits for a test's clock, which the test may never move, must not hold up
 * work of another clock, and that may count to the same number.
 */
export function byClock<Clock extends object, State>(
  begin: (clock: Clock) => State,
): (clock: Clock) => State {
  const states = new WeakMap<Clock, State>();
  return (clock) => {
    const known = states.get(clock);
    if (known !== undefined) return known;
    const state = begin(clock);
    states.set(clock, state);
    return state;
  };
}
