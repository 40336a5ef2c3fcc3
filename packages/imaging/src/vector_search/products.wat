;; Multiplies one vector of 16-bit numbers with many of 8-bit ones (see vector_memory.ts). Sixteen products at a time; the caller sees to
;; it that no sum leaves 32 bits.
(module
  (memory (import "vectors" "memory") 1)

  ;; Vectors from $vector to $end, $stride bytes each (a multiple of 16); a 32-bit sum for each is written to $out.
  (func (export "products")
    (param $asked i32) (param $vector i32) (param $end i32) (param $stride i32) (param $out i32)
    (local $query i32) (local $stop i32) (local $bytes v128) (local $low v128) (local $high v128)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $vector) (local.get $end)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $query (local.get $asked))
        (local.set $stop (i32.add (local.get $vector) (local.get $stride)))
        (loop $sixteen
          (local.set $bytes (v128.load (local.get $vector)))
          (local.set $low (i32x4.add (local.get $low) (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $query)))))
          (local.set $high (i32x4.add (local.get $high) (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $query)))))
          (local.set $query (i32.add (local.get $query) (i32.const 32)))
          (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
          (br_if $sixteen (i32.lt_u (local.get $vector) (local.get $stop))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (i32.store (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each)))))
