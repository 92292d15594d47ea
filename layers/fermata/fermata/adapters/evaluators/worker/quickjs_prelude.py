"""The JavaScript that surrounds a script in QuickJS: gives it `$`, turns its result into JSON. Runs only inside the worker.

Every intrinsic is captured before the script runs, because the script may replace them. What a script can still spoil is its own result.
"""

from fermata.adapters.evaluators.worker.terms import MAX_RESULT_CHARACTERS, MAX_RESULT_DEPTH, TOO_DEEP, TOO_LARGE

_TEMPLATE = """
(function () {
  "use strict";
  const evaluate = globalThis.eval, toText = String, parse = JSON.parse, stringify = JSON.stringify, rawJSON = JSON.rawJSON;
  const create = Object.create, keys = Object.keys, setPrototypeOf = Object.setPrototypeOf, defineProperty = Object.defineProperty;
  const isArray = Array.isArray, isView = ArrayBuffer.isView, RealError = Error;
  const uncurried = (method) => Function.prototype.call.bind(method);
  const wellFormed = uncurried(String.prototype.toWellFormed), cut = uncurried(String.prototype.slice);
  const owns = uncurried(Object.prototype.hasOwnProperty), indexOf = uncurried(Array.prototype.indexOf);

  // Conductor hands scripts Java lists and maps. The methods definitions rely on live on a prototype between the data and Object or Array:
  // never enumerable, never in a result, and a key of the data with the same name wins.
  const javaList = create(Array.prototype), javaMap = create(Object.prototype);
  const list = (value) => setPrototypeOf(value, javaList);
  const offer = (target, name, value) => defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  offer(javaList, "size", function javaSize() { return this.length; });
  offer(javaList, "isEmpty", function javaIsEmpty() { return this.length === 0; });
  offer(javaList, "contains", function javaContains(item) { return indexOf(this, item) >= 0; });
  offer(javaList, "get", function javaGet(index) {
    if (!(index >= 0 && index < this.length)) throw new RangeError("Index " + index + " out of bounds for length " + this.length);
    return this[index];
  });
  offer(javaMap, "size", function javaSize() { return keys(this).length; });
  offer(javaMap, "get", function javaGet(key) { return owns(this, key) ? this[key] : null; });
  offer(javaMap, "containsKey", function javaContainsKey(key) { return owns(this, key); });
  offer(javaMap, "keySet", function javaKeySet() { return list(keys(this)); });

  function adopt(root) {
    const waiting = [root];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (value === null || typeof value !== "object") continue;
      setPrototypeOf(value, isArray(value) ? javaList : javaMap);
      for (const key of keys(value)) waiting.push(value[key]);
    }
    return root;
  }

  // undefined is null, functions and promises are their members, no toJSON is called: what a Java host makes of a JavaScript value.
  function plain(root) {
    let room = MAX_RESULT_CHARACTERS;
    function spend(amount) {
      room -= amount;
      if (room < 0) throw "TOO_LARGE";
    }
    function elements(value, depth) {
      spend(value.length);
      const out = setPrototypeOf([], null);
      for (let i = 0; i < value.length; i++) out[i] = copy(value[i], depth);
      return out;
    }
    function members(value, depth) {
      const out = create(null), names = keys(value);
      for (let i = 0; i < names.length; i++) {
        spend(names[i].length);
        out[wellFormed(names[i])] = copy(value[names[i]], depth);
      }
      return out;
    }
    function copy(value, depth) {
      spend(1);
      switch (typeof value) {
        case "undefined": case "symbol": return null;
        case "boolean": case "number": return value;
        case "bigint": return rawJSON(toText(value));
        case "string": spend(value.length); return wellFormed(value);
      }
      if (value === null) return null;
      if (depth >= MAX_RESULT_DEPTH) throw "TOO_DEEP";
      const sequence = isArray(value) || (isView(value) && typeof value.length === "number");
      return sequence ? elements(value, depth + 1) : members(value, depth + 1);
    }
    return copy(root, 0);
  }

  function describe(error) {
    let message = "an error that cannot be shown", stack = "";
    try {
      message = cut(toText(error), 0, 1000);
      if (error instanceof RealError) stack = cut(toText(error.stack), 0, 2000);
    } catch (second) {}
    return said("error", setPrototypeOf([wellFormed(message), wellFormed(stack)], null));
  }

  // The answer must come out of stringify itself: a text put together with `+` may be a rope, which the Python binding cannot read.
  function said(kind, value) {
    const out = create(null);
    out[kind] = value;
    return stringify(out);
  }

  function run(source, subject, java) {
    try {
      const data = parse(subject);
      offer(globalThis, "$", java ? adopt(data) : data);
      return said("value", plain(evaluate(source)));
    } catch (error) {
      return describe(error);
    }
  }

  // `throw` in front: the whole text is parsed and nothing of it runs.
  function check(source) {
    try {
      evaluate("throw null;" + source);
    } catch (error) {
      if (error !== null) return describe(error);
    }
    return said("value", null);
  }

  return (mode, source, subject, java) => mode === "run" ? run(source, subject, java) : check(source);
})()
"""

_TERMS = {
    "MAX_RESULT_CHARACTERS": str(MAX_RESULT_CHARACTERS),
    "MAX_RESULT_DEPTH": str(MAX_RESULT_DEPTH),
    "TOO_LARGE": TOO_LARGE,
    "TOO_DEEP": TOO_DEEP,
}


def prelude() -> str:
    """Return a script whose value is a function (mode, source, subject, java) returning {"value": ...} or {"error": ...} as JSON text."""
    text = _TEMPLATE
    for name, value in _TERMS.items():
        text = text.replace(name, value)
    return text
