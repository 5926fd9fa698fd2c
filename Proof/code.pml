/* The life of a code that Onward keeps: a link, the link that was sent again, and the link that
 * undoes their effect, pressed by several visitors at nodes that share a database.
 *
 * `README.md` says what is left out. A name in quotes after a file is what a part abstracts.
 */

#define FIRST 0
#define AGAIN 1
#define UNDO 2
#define CODES 3

#define PRESSES 2
#define WRONG_NUMBERS_ALLOWED 1
#define UNASKED 3

mtype = { absent, live, used, withdrawn };
mtype = { nothing, spend, mark, apply, count };
mtype = { committed, refused, unknown };
mtype = { none, done, not_done, over, asked, uncertain, crashed };
mtype = { missing, right, wrong };

/* The database, and a backup of it. */
mtype code[CODES] = absent, kept[CODES] = absent;
bool effective[CODES], was_effective[CODES];
byte left[CODES] = UNASKED;

/* The primary has committed a transaction of `ahead` that its stand-by has not, as after a crash. */
bool is_ahead;
byte ahead, left_kept[CODES], effects_kept[CODES], wrongs_kept[CODES];

/* What each transaction writes if it is committed. */
mtype writing[PRESSES] = nothing;
byte target[PRESSES];
bool is_open[PRESSES];
bool is_stale[PRESSES];     /* Another one was committed since it began. */
bool is_pending[PRESSES];   /* Its connection was lost; the server may commit it yet. */
bool is_committed[PRESSES]; /* The slot of its connection says so. */

/* What each visitor does and hears. */
mtype number[PRESSES] = missing;
bool is_doubtful[PRESSES], came_late[PRESSES], has_begun[PRESSES];
mtype told[PRESSES] = none;

/* What has happened. */
bool is_done[PRESSES], is_expired, is_restored;
bool was_dead, was_late, was_unasked;
byte effects[CODES], wrongs[CODES], busy;

/* The accidents that are left. */
byte losses = LOSSES, crashes = CRASHES;

#define withdraw(c) code[c] = (code[c] == live -> withdrawn : code[c])

/* CodeTable.swift: `spend`, `withdrawCodes`, `setWrongNumbersLeft`; Records+Press.swift: `pause`. */
inline write(owner) {
  if
  :: writing[owner] == count ->
     left[target[owner]] = (left[target[owner]] == UNASKED -> WRONG_NUMBERS_ALLOWED : left[target[owner]]);
     if
     :: number[owner] == wrong ->
        wrongs[target[owner]]++;
#ifndef MUTANT_NUMBERS_UNCOUNTED
        left[target[owner]]--;
#endif
        if
        :: left[target[owner]] > 0
        :: left[target[owner]] == 0 && target[owner] == UNDO -> left[UNDO] = WRONG_NUMBERS_ALLOWED
        :: left[target[owner]] == 0 && target[owner] != UNDO -> code[target[owner]] = withdrawn
        fi
     :: else
     fi
  :: writing[owner] == spend || writing[owner] == mark || writing[owner] == apply ->
     was_dead = was_dead || (code[target[owner]] != live && writing[owner] != apply);
     was_late = was_late || came_late[owner];
     was_unasked = was_unasked || (number[owner] != right && (is_doubtful[owner] || left[target[owner]] != UNASKED));
     if
     :: writing[owner] != apply -> code[target[owner]] = used
     :: else
     fi;
     if
     :: writing[owner] != mark ->
        effective[target[owner]] = true;
        effects[target[owner]]++;
        is_done[owner] = true;
        if
        :: target[owner] != UNDO -> withdraw(FIRST); withdraw(AGAIN); code[UNDO] = live
        :: else
        fi
     :: else
     fi
  fi
}

/* Every other transaction that is open has read what is no longer so. A commit with an answer is at
 * the stand-by, and so is everything before it. */
inline disturb(owner) {
  is_ahead = false;
  for (i : 0 .. PRESSES - 1) { is_stale[i] = is_stale[i] || (is_open[i] && i != owner) }
  i = 0
}

inline commit(owner) {
  write(owner);
  disturb(owner);
  is_committed[owner] = true
}

inline begin(owner) {
  is_open[owner] = true;
  is_stale[owner] = false;
  is_committed[owner] = false;
#ifndef MUTANT_NO_FENCE
  is_pending[owner] = false
#endif
}

#ifdef MUTANT_READ_THEN_WRITE
#define may_commit(owner) true
#else
#define may_commit(owner) (!is_stale[owner])
#endif

/* TransactionRunner.swift: `run`, `isCommitted`; CommitSlot.swift: `mark`, `question`. */
inline finish(owner, outcome) {
  if
  :: d_step { may_commit(owner) -> commit(owner); outcome = committed }
  :: d_step { !may_commit(owner) -> outcome = refused }
  :: d_step { losses > 0 -> losses--; is_pending[owner] = true; outcome = unknown }
  fi;
  do
  :: outcome != unknown -> break
#if defined(MUTANT_NO_QUESTION)
  :: outcome == unknown -> outcome = refused
#elif defined(MUTANT_GUESSES)
  :: d_step { outcome == unknown -> is_pending[owner] = false; outcome = committed }
#else
#ifdef MUTANT_NO_FENCE
  :: d_step { outcome == unknown -> outcome = (is_committed[owner] -> committed : refused) }
#else
  :: d_step {
       outcome == unknown ->
#ifndef MUTANT_QUESTION_ONLY_READS
       is_ahead = false;
#endif
       is_pending[owner] = false;
       outcome = (is_committed[owner] -> committed : refused)
     }
#endif
#endif
#ifdef MUTANT_ASKS_FOR_EVER
  :: outcome == unknown -> skip
#else
  :: d_step { outcome == unknown && losses > 0 -> losses-- } /* The answer is lost again. */
  :: d_step { outcome == unknown && losses > 0 -> losses-- } -> break /* No server answers in time. */
#endif
  od
}

#define tell(what) d_step { forget(me); told[me] = what; busy-- }

/* What no longer matters is forgotten, which saves states. */
inline forget(owner) {
  is_open[owner] = is_pending[owner];
  is_stale[owner] = is_stale[owner] && is_pending[owner];
  is_committed[owner] = false;
  came_late[owner] = came_late[owner] && is_pending[owner];
  is_doubtful[owner] = is_doubtful[owner] && is_pending[owner];
  writing[owner] = (is_pending[owner] -> writing[owner] : nothing)
}

/* LocalAuthority.swift: `press`; Records+Press.swift: `challenge`. */
proctype Press(byte me) {
  byte i, c;
  bool is_live, is_in_doubt;
  mtype outcome;

  atomic {
    if
    :: code[FIRST] != absent -> c = FIRST
    :: code[AGAIN] != absent -> c = AGAIN
    :: code[UNDO] != absent -> c = UNDO
    fi;
    if
    :: is_doubtful[me] = true
    :: d_step { is_doubtful[me] = true; number[me] = wrong }
    :: number[me] = wrong
    :: number[me] = right
    :: skip
    fi;
    d_step { busy++; has_begun[me] = true; came_late[me] = is_expired && c != UNDO; target[me] = c }
  }
again:
  skip;
  d_step {
    begin(me);
#ifdef MUTANT_NO_EXPIRY
    is_live = code[c] == live;
#else
    is_live = code[c] == live && !came_late[me];
#endif
#ifdef MUTANT_NUMBER_UNASKED
    is_in_doubt = false;
#else
    is_in_doubt = (is_doubtful[me] || left[c] != UNASKED) && number[me] != right;
#endif
    writing[me] = (is_in_doubt -> count : spend)
  };
  if
  :: !is_live -> tell(over); goto end
  :: is_live && is_in_doubt && left[c] != UNASKED && number[me] != wrong -> tell(asked); goto end
  :: else
  fi;
#ifdef MUTANT_MARK_BEFORE_EFFECT
  writing[me] = (writing[me] == spend -> mark : writing[me]);
#endif
#ifdef MUTANT_EFFECT_BEFORE_MARK
  writing[me] = (writing[me] == spend -> apply : writing[me]);
#endif
ready:
  if
  :: finish(me, outcome)
  :: d_step { crashes > 0 -> crashes--; is_pending[me] = true; forget(me); told[me] = crashed; busy-- } -> goto end
  fi;
  if
  :: outcome == unknown -> tell(uncertain)
  :: outcome == refused -> goto again
  :: outcome == refused -> tell(not_done) /* The deadline for conflicts. */
  :: outcome == committed && writing[me] == count -> tell(asked)
#ifdef MUTANT_MARK_BEFORE_EFFECT
  :: outcome == committed && writing[me] == mark -> d_step { begin(me); writing[me] = apply } -> goto ready
  :: outcome == committed && writing[me] == apply -> tell(done)
#endif
#ifdef MUTANT_EFFECT_BEFORE_MARK
  :: outcome == committed && writing[me] == apply -> d_step { begin(me); writing[me] = mark } -> goto ready
  :: outcome == committed && writing[me] == mark -> tell(done)
#endif
  :: outcome == committed && writing[me] == spend -> tell(done)
  fi;
end:
  skip
}

/* Accounts+Send.swift: `store`. A wish is sent again while its link works. */
active proctype Sender() {
  byte i;

  d_step { code[FIRST] = live; disturb(PRESSES) };
  d_step { code[FIRST] == live -> code[AGAIN] = live; disturb(PRESSES) }
}

/* Records+Ownership.swift: `end`. The account may change at any moment, once. */
active proctype Admin() {
  byte i;

  d_step { withdraw(FIRST); withdraw(AGAIN); disturb(PRESSES) }
}

active proctype Clock() { is_expired = true }

inline keep() {
  for (i : 0 .. CODES - 1) {
    kept[i] = code[i];
    was_effective[i] = effective[i];
    left_kept[i] = left[i];
    effects_kept[i] = effects[i];
    wrongs_kept[i] = wrongs[i]
  }
  i = 0
}

inline commit_alone(owner) {
  keep();
  commit(owner);
  is_pending[owner] = false;
  ahead = owner;
  is_ahead = true
}

/* A server with a transaction whose connection was lost commits it, or loses it in a fail-over. */
active proctype Server() {
  byte i;

end:
  do
  :: d_step { is_pending[0] && may_commit(0) -> commit(0); is_pending[0] = false }
  :: d_step { is_pending[1] && may_commit(1) -> commit(1); is_pending[1] = false }
  :: d_step { is_pending[0] -> is_pending[0] = false }
  :: d_step { is_pending[1] -> is_pending[1] = false }
#ifdef FAILOVER
  :: d_step { is_pending[0] && may_commit(0) && !is_ahead -> commit_alone(0) }
  :: d_step { is_pending[1] && may_commit(1) && !is_ahead -> commit_alone(1) }
#endif
  od
}

#ifdef FAILOVER
/* The stand-by becomes the primary. No connection survives. */
active proctype Standby() {
  byte i;

  d_step {
    is_ahead;
    for (i : 0 .. CODES - 1) {
      code[i] = kept[i];
      effective[i] = was_effective[i];
      left[i] = left_kept[i];
      effects[i] = effects_kept[i];
      wrongs[i] = wrongs_kept[i]
    }
    is_done[ahead] = false;
    is_committed[ahead] = false;
    is_pending[0] = false;
    is_pending[1] = false;
    disturb(PRESSES)
  }
}
#endif

#ifdef RESTORE
/* DatabaseCopy.swift: `complete`; Restore.swift: `run`. No server runs during a restore. */
active proctype Operator() {
  byte i;

  d_step {
    for (i : 0 .. CODES - 1) {
      kept[i] = code[i];
      was_effective[i] = effective[i]
    }
    i = 0
  };
  d_step {
    busy == 0 && !is_pending[0] && !is_pending[1];
    for (i : 0 .. CODES - 1) {
      code[i] = kept[i];
      effective[i] = was_effective[i];
#ifndef MUTANT_RESTORE_REVIVES
      withdraw(i)
#endif
    }
    is_restored = true
  }
}
#endif

init {
  byte i;

  atomic {
    for (i : 0 .. PRESSES - 1) { run Press(i) }
  }
}

#define was_told_no(p) (told[p] == not_done || told[p] == over || told[p] == asked)

/* A code takes effect at most once, and so does one of two links with one purpose. */
ltl once {
  [] (effects[FIRST] <= 1 && effects[AGAIN] <= 1 && effects[UNDO] <= 1
    && (is_restored || effects[FIRST] + effects[AGAIN] <= 1))
}

/* A code takes effect only while it is live. */
ltl live_only { [] !was_dead }
ltl in_time { [] !was_late }

/* The effect, the end of its code and the link that undoes it come together. */
ltl together {
  [] ((effective[FIRST] == (code[FIRST] == used)) && (effective[AGAIN] == (code[AGAIN] == used))
    && (effective[UNDO] == (code[UNDO] == used))
    && ((effective[FIRST] || effective[AGAIN]) -> code[UNDO] != absent))
}

/* What was said to be done is done, and what was said not to be done is not, then and later. */
ltl yes_is_true { [] ((told[0] == done -> is_done[0]) && (told[1] == done -> is_done[1])) }
ltl no_is_true { [] ((was_told_no(0) -> !is_done[0]) && (was_told_no(1) -> !is_done[1])) }

/* A doubtful press, and each that comes after one, has an effect only with the right number, and
 * the last wrong number ends the code. */
ltl asks { [] !was_unasked }
ltl guesses { [] (wrongs[FIRST] <= WRONG_NUMBERS_ALLOWED && wrongs[AGAIN] <= WRONG_NUMBERS_ALLOWED) }

/* Every press ends with an answer, unless its node crashed. All presses are alike. */
ltl answers { [] (has_begun[0] -> <> (told[0] != none)) }
