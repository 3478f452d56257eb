"""The path: how an agent's file becomes a note that an agent is given. One file per arrow; read them in this order.

    agent's file ──capture──▶ ARCHIVE ──index──▶ Chunks ──────────────▶ search
                                 ▲        │
                              journal     └─────catch──▶ Memories ──recall──▶ Brief
                                 ▲                          │  ▲
                                 └───────────────────────── │ ─┘
                                                          dream

What follows what:

1. `capture.sweep_places`: each file that changed is copied into the Archive, byte for byte, and synced before it
   counts (`receive`). What cannot be read is set aside by name; the rest goes on.
2. `index.index_pending`: every Run whose archive is ahead of its index mark is read on from where the last reading
   stopped, or whole. Its turns are masked by the Gate before anything else sees them.
3. `catch.catch_run`: each closed Window is handed to one extractor (built in, agent or model). What it drafts is
   judged, journaled together with the line that says the Window was read, then stored.
4. `recall.recall_for`: a prompt in; a Recall with the right few Memories out, or one that says why there are none.
   The agent gets its answer first; `recall.keep_recall` journals it afterwards.
5. `dream.think`, then `dream.decide`: a process that can only read proposes changes; the writer checks each one.

`journal.write_down` carries every decision: the Journal first, storage second. `journal.catch_up` brings storage to
where the Journal is, also after a kill, and joins lines of other Machines in their right order.

Every step can be repeated. A kill between two of them costs a repeat, never a loss and never a duplicate. All of it is
handed its world in `tools.Tools`; nothing here reads the clock, a setting or the environment. This file imports
nothing: whoever answers a prompt loads `recall` and not the rest.
"""
