"""What the api tells of Air Pipe's interfaces. Written out: `domain/airpipe/overview.py` puts them together by hand."""

from collections.abc import Mapping

from fermata.api.description.vocabulary import FLAG, MOMENT, WHOLE, WORD, Schema, each, listed, ref, shape

_NAMES = listed(WORD)
_SECONDS: Schema = {"type": "number"}
_AS_WRITTEN: Schema = {"description": "As the file says it."}

OF_INTERFACES: Mapping[str, Schema] = {
    "InterfaceAction": shape(
        "An action. `notes`: what it waits for, how often it is tried, what the caller gets. `longestWaitSeconds`: when every try fails.",
        {
            **each("name type does", WORD),
            "attempts": WHOLE,
            "longestWaitSeconds": _SECONDS,
            "parks": FLAG,
            "notes": _NAMES,
        },
    ),
    "Interface": shape(
        "An interface that is served. `path` is where it answers, `definition` and `version` what its runs run. `parks`: its caller may "
        "get 202 and a run's address. `waits`, `ceilings`: the same in words, by action. `secrets`: the organisation variables it names.",
        {
            **each("config interface method path definition", WORD),
            **each("summary description tags requestExample", _AS_WRITTEN),
            "version": WHOLE,
            "updateTime": MOMENT,
            "parks": FLAG,
            "longestWaitSeconds": _SECONDS,
            **each("waits ceilings", _NAMES),
            "secrets": _NAMES,
            "actions": listed(ref("InterfaceAction")),
        },
        "summary description tags requestExample",
    ),
    "PublishedConfiguration": shape(
        "`changed`: definitions that are new or have another version now. `withdrawn`: those that the file had before and has no more. "
        "`warnings`: where the file can be read in more than one way, and how it is read.",
        {"config": WORD, "interfaces": listed(ref("Interface")), **each("changed withdrawn warnings", _NAMES)},
    ),
    "WithdrawnConfiguration": shape("`withdrawn`: definitions that are gone.", {"config": WORD, "withdrawn": _NAMES}),
}
