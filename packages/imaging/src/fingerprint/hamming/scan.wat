;; Compares codes with up to four query hashes (see ScannedCodes in run_index.ts). Codes and query hashes are 32 bytes each; a hit is two 32-bit
;; numbers: the position of the code, then the query in the low 16 bits and the distance above.
(module
  (memory (import "codes" "memory") 1)
  ;; Number of hits written by the last call.
  (global $hits (export "hits") (mut i32) (i32.const 0))

  ;; Compares codes $from to $to. Half of a code suffices to reject nearly all: the first halves of four queries stay in registers, and one branch
  ;; detects that none is near. Queries beyond $needleCount only cost a second check.
  (func (export "scan")
    (param $codes i32) (param $from i32) (param $to i32)
    (param $needles i32) (param $needleCount i32) (param $radius i32) (param $out i32)
    (local $code i32) (local $at i32) (local $needle i32) (local $distance i32) (local $far i64)
    (local $first i64) (local $second i64)
    (local $n0a i64) (local $n0b i64) (local $n1a i64) (local $n1b i64)
    (local $n2a i64) (local $n2b i64) (local $n3a i64) (local $n3b i64)
    (local.set $n0a (i64.load offset=0 (local.get $needles)))
    (local.set $n0b (i64.load offset=8 (local.get $needles)))
    (local.set $n1a (i64.load offset=32 (local.get $needles)))
    (local.set $n1b (i64.load offset=40 (local.get $needles)))
    (local.set $n2a (i64.load offset=64 (local.get $needles)))
    (local.set $n2b (i64.load offset=72 (local.get $needles)))
    (local.set $n3a (i64.load offset=96 (local.get $needles)))
    (local.set $n3b (i64.load offset=104 (local.get $needles)))
    (global.set $hits (i32.const 0))
    (local.set $far (i64.extend_i32_u (i32.add (local.get $radius) (i32.const 1))))
    (local.set $code (i32.add (local.get $codes) (i32.shl (local.get $from) (i32.const 5))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $first (i64.load (local.get $code)))
        (local.set $second (i64.load offset=8 (local.get $code)))
        ;; Negative if one of the four is near.
        (if (i64.lt_s
            (i64.or (i64.or (i64.or (i64.sub (i64.add
              (i64.popcnt (i64.xor (local.get $first) (local.get $n0a)))
              (i64.popcnt (i64.xor (local.get $second) (local.get $n0b)))) (local.get $far))
            (i64.sub (i64.add
              (i64.popcnt (i64.xor (local.get $first) (local.get $n1a)))
              (i64.popcnt (i64.xor (local.get $second) (local.get $n1b)))) (local.get $far)))
            (i64.sub (i64.add
              (i64.popcnt (i64.xor (local.get $first) (local.get $n2a)))
              (i64.popcnt (i64.xor (local.get $second) (local.get $n2b)))) (local.get $far)))
            (i64.sub (i64.add
              (i64.popcnt (i64.xor (local.get $first) (local.get $n3a)))
              (i64.popcnt (i64.xor (local.get $second) (local.get $n3b)))) (local.get $far)))
            (i64.const 0))
          (then
            (local.set $at (i32.const 0))
            (local.set $needle (local.get $needles))
            (loop $all
              (local.set $distance (i32.wrap_i64 (i64.add
                (i64.add
                  (i64.popcnt (i64.xor (local.get $first) (i64.load (local.get $needle))))
                  (i64.popcnt (i64.xor (local.get $second) (i64.load offset=8 (local.get $needle)))))
                (i64.add
                  (i64.popcnt (i64.xor (i64.load offset=16 (local.get $code)) (i64.load offset=16 (local.get $needle))))
                  (i64.popcnt (i64.xor (i64.load offset=24 (local.get $code)) (i64.load offset=24 (local.get $needle))))))))
              (if (i32.le_u (local.get $distance) (local.get $radius)) (then
                (i32.store (local.get $out) (local.get $from))
                (i32.store offset=4 (local.get $out)
                  (i32.or (local.get $at) (i32.shl (local.get $distance) (i32.const 16))))
                (local.set $out (i32.add (local.get $out) (i32.const 8)))
                (global.set $hits (i32.add (global.get $hits) (i32.const 1)))))
              (local.set $needle (i32.add (local.get $needle) (i32.const 32)))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br_if $all (i32.lt_u (local.get $at) (local.get $needleCount))))))
        (local.set $code (i32.add (local.get $code) (i32.const 32)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $each))))
)
